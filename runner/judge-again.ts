/** Judges the rows of a record once more, by another profile too: a new verdict from old evidence, without the suite. */
import type { PlanLine, RecordedProfile, RunRecord, RunRow } from '../record/record.js'
import type { OtherExpectations, ResolvedRow } from '../record/resolved-row.js'
import { Tally } from '../record/tally.js'
import { withExpectations } from './judge/by-another-profile.js'
import { judgeRow } from './judge/judge-row.js'
import { knownElsewhere } from './judge/known-elsewhere.js'
import { variablesOf } from './template/recorded-variables.js'

/** The record does not say what that profile expects. */
export class UnknownProfile extends Error {
  override readonly name = 'UnknownProfile'

  constructor(profile: string, known: readonly string[]) {
    super(`profile: the record does not know ${profile}; it can be judged by ${known.join(', ')}`)
  }
}

/**
 * The record as a run by that profile would have left it, as far as its evidence goes. Rows of which nothing was sent keep
 * what they were. Throws `UnknownProfile`.
 */
export function judgeAgain(record: RunRecord, profile: string): RunRecord {
  const { header, rows, footer } = record
  const original = header.profile
  const wanted = [original, ...(header.otherProfiles ?? [])].find(({ name }) => name === profile)
  if (!wanted)
    throw new UnknownProfile(
      profile,
      [original, ...(header.otherProfiles ?? [])].map(({ name }) => name),
    )
  const plan = new Map(record.plan.map((line) => [line.row.id, line]))
  const judged = rows.map((row) => judgeRowAgain(row, plan.get(row.id), wanted, record))
  const others = [original, ...(header.otherProfiles ?? [])].filter(({ name }) => name !== profile)
  const tally = new Tally()
  for (const row of judged) tally.add(row)
  return {
    ...record,
    header: { ...header, profile: wanted, otherProfiles: others, judgedAgain: { profile: original.name } },
    rows: judged,
    ...(footer && { footer: { ...footer, ...tally.result(header.planned) } }),
  }
}

function judgeRowAgain(
  row: RunRow,
  line: PlanLine | undefined,
  { name }: RecordedProfile,
  { header }: RunRecord,
): RunRow {
  const byProfile = everyProfile(row.resolved, line?.otherwise ?? {}, header.profile.name)
  const resolved = byProfile.get(name) ?? row.resolved
  byProfile.delete(name)
  if (row.evidence.length === 0) return { ...row, resolved }
  const variables = variablesOf(header.variables, row.variables)
  const { evidence, stopped } = row
  const cut = evidence.find(({ response }) => response?.body.cut)
  if (cut) {
    const step = resolved.steps[cut.step]?.name ?? ''
    const reason = `cannot be judged again: the record has only a part of the answer to the step ${step}`
    return { ...row, resolved, verdict: 'not-applicable', reason, judgements: [] }
  }
  const { reason: _, ...rest } = row
  const performed = { evidence, variables, stopped }
  const judged = judgeRow(resolved, performed)
  const known = judged.verdict === 'fail' ? knownElsewhere(byProfile, performed) : undefined
  const reason = [judged.reason, known].filter((part) => part !== undefined).join(' ')
  return { ...rest, ...judged, ...(reason !== '' && { reason }), resolved }
}

/** The row as each profile has it. */
const everyProfile = (
  row: ResolvedRow,
  otherwise: Readonly<Record<string, OtherExpectations>>,
  original: string,
): Map<string, ResolvedRow> =>
  new Map([
    [original, row],
    ...Object.entries(otherwise).map(([name, one]): [string, ResolvedRow] => [name, withExpectations(row, one)]),
  ])
