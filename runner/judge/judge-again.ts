import { withOracleFindings } from '../../record/judgements/oracle-findings.js'
import { expectationsOf } from '../../record/judgements/references.js'
import { tallyOf } from '../../record/judgements/tally.js'
import { waiversOf, withWaivers } from '../../record/judgements/waivers.js'
import type { PlanLine, RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import type { OtherExpectations, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { variablesOf } from '../template/variables.js'
import { judgeAcrossProfiles } from './judge-across-profiles.js'
import type { RowVerdict } from './judge-row.js'
import { withExpectations } from './other-expectations.js'
import { isSuccess } from './sent-steps.js'

export class UnknownProfile extends Error {
  override readonly name = 'UnknownProfile'

  constructor(profile: string, known: readonly string[]) {
    super(`profile: the record has no expectations of ${profile}. Use one of: ${known.join(', ')}`)
  }
}

/** Rows with insufficient evidence are blocked. Throws `UnknownProfile`. */
export function judgeAgain(record: RunRecord, profile: string): RunRecord {
  const { rows, footer } = record
  const original = record.header.profile
  const known = [original, ...(record.header.otherProfiles ?? [])]
  const wanted = known.find(({ name }) => name === profile)
  if (!wanted)
    throw new UnknownProfile(
      profile,
      known.map(({ name }) => name),
    )
  const plan = new Map(record.plan.map((line) => [line.row.id, line]))
  const waivers = waiversOf({ ...record.header, profile: wanted }, [...plan.keys()])
  const anew = rows.map((row) => {
    const again = judgeRowAgain(row, plan.get(row.id), profile, record)
    return row.evidence.length === 0 ? again : withWaivers(again, waivers)
  })
  const judged = withOracleFindings(anew, record.oracles?.findings)
  const resolvedAnew = new Map(judged.map(({ id, resolved }) => [id, resolved]))
  const others = known.filter(({ name }) => name !== profile)
  const header = { ...record.header, profile: wanted, otherProfiles: others, judgedAgain: { profile: original.name } }
  const { rules: _, ...result } = tallyOf(header, judged)
  return {
    ...record,
    header,
    plan: record.plan.map((line) => ({ ...line, row: resolvedAnew.get(line.row.id) ?? line.row })),
    rows: judged,
    ...(footer && { footer: { ...footer, ...result } }),
  }
}

function judgeRowAgain(row: RunRow, line: PlanLine | undefined, name: string, { header }: RunRecord): RunRow {
  const byProfile = everyProfile(row.resolved, line?.otherwise ?? {}, header.profile.name)
  const resolved = byProfile.get(name)
  if (row.evidence.length === 0) return { ...row, resolved: resolved ?? row.resolved }
  if (lacksControl(row.resolved, header)) return { ...withoutJudgements(row), reason: nothingAccepted(row.resolved) }
  const obstacle = resolved ? obstacleOf(row, resolved, header) : `it has no expectations of ${name}`
  if (!resolved || obstacle !== undefined)
    return unjudged({ ...row, resolved: resolved ?? row.resolved }, obstacle ?? '')
  const { evidence, stopped } = row
  byProfile.delete(name)
  const judged = attempt(() => {
    const variables = variablesOf(header.variables, row.variables)
    return judgeAcrossProfiles(resolved, { evidence, variables, stopped }, () => byProfile)
  })
  if (judged instanceof Error) return unjudged({ ...row, resolved }, judged.message)
  const early = endedEarly(row.resolved, resolved, judged)
  if (early !== undefined) return unjudged({ ...row, resolved }, early)
  const { reason: _, known: __, otherVerdicts: ___, ...rest } = row
  return { ...rest, ...judged, resolved }
}

/** A record of any origin may contain invalid expectations. */
function attempt(judge: () => RowVerdict): RowVerdict | Error {
  try {
    return judge()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/** A row that cannot be judged must never count as passed. */
const withoutJudgements = ({ known: _, otherVerdicts: __, ...row }: RunRow): RunRow => ({
  ...row,
  verdict: 'blocked',
  judgements: [],
})

const unjudged = (row: RunRow, why: string): RunRow => ({
  ...withoutJudgements(row),
  reason: `cannot be judged again from this record: ${why}`,
})

/** A run does not send a row without its control. */
const lacksControl = ({ control }: ResolvedRow, { controls = [] }: RunHeader): boolean =>
  control !== undefined && !controls.some(({ fixture, evidence }) => fixture === control && isSuccess(evidence))

const nothingAccepted = ({ operation }: ResolvedRow): string =>
  `the record does not show that ${operation} accepted a valid request in this run`

function obstacleOf(row: RunRow, resolved: ResolvedRow, header: RunHeader): string | undefined {
  if (row.redacted || usesRedacted(resolved, header)) return 'redaction removed secrets from its evidence'
  const cut = row.evidence.find(
    ({ step, request, response }) => response?.body.cut || (request.body?.cut && checksRequest(resolved.steps[step])),
  )
  if (!cut) return undefined
  return `it contains only a part of the exchange of step ${resolved.steps[cut.step]?.name ?? ''}`
}

export function usesRedacted(
  { values, steps }: Pick<ResolvedRow, 'values' | 'steps'>,
  { redacted, variables = {} }: RunHeader,
): boolean {
  if (!redacted) return false
  const hidden = Object.keys(variables).filter((name) => variables[name]?.includes('[redacted'))
  // The header does not show which variables are redacted.
  if (hidden.length === 0) return true
  const text = JSON.stringify([values, steps])
  return hidden.some((name) => text.includes(`\${${name}}`))
}

const checksRequest = (step: ResolvedStep | undefined): boolean =>
  (step ? expectationsOf(step) : []).some(({ anyOf }) =>
    anyOf.some(({ checks }) => checks.some(({ on }) => on === 'hash')),
  )

/** The step was repeated until it met other expectations, so its next answer is unknown. */
function endedEarly(original: ResolvedRow, resolved: ResolvedRow, { judgements }: RowVerdict): string | undefined {
  const unmet = new Set(judgements.filter(({ met }) => !met).map(({ step }) => step))
  const found = resolved.steps.find(
    ({ eventually, expectations }, index) =>
      eventually !== undefined &&
      unmet.has(index) &&
      JSON.stringify(expectations) !== JSON.stringify(original.steps[index]?.expectations),
  )
  return found && `step ${found.name} was repeated only until it met the expectations of another profile`
}

const everyProfile = (
  row: ResolvedRow,
  otherwise: Readonly<Record<string, OtherExpectations>>,
  original: string,
): Map<string, ResolvedRow> =>
  new Map([
    [original, row],
    ...Object.entries(otherwise).map(([name, one]): [string, ResolvedRow] => [name, withExpectations(row, one)]),
  ])
