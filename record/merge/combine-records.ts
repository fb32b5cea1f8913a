/** Combines runs of one participant in several configurations. */
import { UsageError } from '../../lib/usage-error.js'
import { isOutsideConfiguration } from '../judgements/outside-configuration.js'
import { tallyOf } from '../judgements/tally.js'
import type { OracleFinding, RecordedConfiguration, RunFooter, RunHeader, RunRecord, RunRow } from '../types/record.js'
import { type Verdict, verdicts } from '../types/verdict.js'
import { madeByAll, mergedOracles, mergedSummary, textDigest } from './merge-records.js'

export class ConfigurationsError extends UsageError {
  override readonly name = 'ConfigurationsError'

  constructor(why: string) {
    super(`configurations: ${why}`)
  }
}

/** The worst verdict of a row counts; unjudged rows count least. Throws `ConfigurationsError`. */
export function combineRecords(records: readonly RunRecord[]): RunRecord {
  const [first, ...others] = records
  if (!first) throw new ConfigurationsError('no run is given')
  if (others.length === 0) return first
  expectOnce(records)
  for (const other of others) expectCombinable(first.header, other.header)
  const headers = records.map(({ header }) => header)
  const plan = new Set(headers.flatMap((header) => header.plan))
  const chosen = new Map<string, RunRow>()
  for (const [index, record] of records.entries()) {
    const own = ownVariables(record.header, first.header)
    for (const row of record.rows) {
      const known = chosen.get(row.id)
      if (known && !outweighs([row, record.header], [known, headers[(known.configuration ?? 1) - 1]])) continue
      chosen.set(row.id, { ...withVariables(row, own), configuration: index + 1 })
    }
  }
  const rows = [...chosen.values()]
  const header: RunHeader = {
    ...first.header,
    plan: [...plan],
    ...(headers.some(({ made }) => made) && { made: madeByAll(headers.flatMap(({ made }) => made ?? [])) }),
    configurations: records.map(configurationOf),
  }
  const footer = combinedFooter(records, header, rows)
  return {
    header,
    rows,
    ...mergedOracles(records.flatMap((record, index) => findingsOf(record, chosen, index + 1))),
    ...(footer && { footer }),
    defects: records.flatMap(({ defects }, index) => defects.map((defect) => `Configuration ${index + 1}: ${defect}`)),
  }
}

/** One run is no second configuration. Throws `ConfigurationsError`. */
export function expectOnce(records: readonly { header: RunHeader }[]): void {
  const runs = records.map(({ header }) => header.run)
  const twice = runs.find((run, index) => runs.indexOf(run) !== index)
  if (twice !== undefined) throw new ConfigurationsError(`the run ${twice} is given twice; leave it out once`)
}

/** Only for the rows of this configuration. */
const findingsOf = (
  { oracles }: RunRecord,
  chosen: ReadonlyMap<string, RunRow>,
  configuration: number,
): OracleFinding[] =>
  (oracles?.findings ?? []).flatMap((finding) => {
    const rows = finding.rows.filter((id) => chosen.get(id)?.configuration === configuration)
    return rows.length > 0 || finding.rows.length === 0 ? [{ ...finding, rows }] : []
  })

const ownVariables = (
  { variables = {} }: RunHeader,
  { variables: common = {} }: RunHeader,
): [name: string, value: string][] => Object.entries(variables).filter(([name, value]) => common[name] !== value)

const withVariables = (row: RunRow, own: readonly [name: string, value: string][]): RunRow =>
  row.evidence.length === 0 || own.length === 0
    ? row
    : { ...row, variables: { ...Object.fromEntries(own), ...row.variables } }

const weights: readonly Verdict[] = [...verdicts.filter((verdict) => verdict !== 'not-applicable'), 'not-applicable']

type RowOfRun = readonly [row: RunRow, header: RunHeader | undefined]

/**
 * Between unjudged rows, a cause that another run can remove outweighs a different configuration. Of equal causes, the
 * later run decides.
 */
function outweighs([row, header]: RowOfRun, [before, headerBefore]: RowOfRun): boolean {
  if (row.verdict !== 'not-applicable' || before.verdict !== row.verdict)
    return weights.indexOf(row.verdict) < weights.indexOf(before.verdict)
  return !isOutside(row, header) || isOutside(before, headerBefore)
}

const isOutside = ({ verdict, evidence, resolved }: RunRow, header: RunHeader | undefined): boolean =>
  header !== undefined && isOutsideConfiguration({ verdict, evidence, resolved }, header)

/** Throws `ConfigurationsError`. */
export function expectCombinable(first: RunHeader, other: RunHeader): void {
  const compared: [what: string, of: (header: RunHeader) => string | undefined][] = [
    ['tool', ({ tool }) => `${tool.name} ${tool.version}`],
    ['suite', ({ suite }) => suite.digest],
    ['profile', ({ profile }) => profile.name],
    ['profile file', ({ profile }) => textDigest(profile.file?.text)],
    ['operations', ({ selection }) => selection?.operations?.join(', ') ?? 'all'],
    ['participant', ({ target }) => (target.embedded ? 'the embedded simulator' : 'a participant')],
    ['version of the participant', ({ target }) => target.version],
    ['waivers', ({ waivers }) => waivers && JSON.stringify(waivers)],
  ]
  for (const [what, of] of compared) {
    const [one, two] = [of(first) ?? 'none', of(other) ?? 'none']
    if (one !== two)
      throw new ConfigurationsError(
        `the runs ${first.run} and ${other.run} differ in their ${what}: ${one} and ${two}; leave one of them out`,
      )
  }
}

/** Evidence of another participant proves nothing. Throws `ConfigurationsError`. */
export function expectSameParticipant(first: RunHeader, other: RunHeader): void {
  const [one, two] = [first.target.participant, other.target.participant]
  if (one === undefined || two === undefined || one === two) return
  throw new ConfigurationsError(
    `the runs ${first.run} and ${other.run} are of two participants: ${one} and ${two}; add only runs of one participant`,
  )
}

function configurationOf({ header, rows, footer }: RunRecord): RecordedConfiguration {
  const { run, seed, target, capabilities } = header
  const { url, version, participant, protocolVersion, authorization } = target
  return {
    run,
    seed,
    url,
    ...(version !== undefined && { version }),
    ...(participant !== undefined && { participant }),
    ...(protocolVersion !== undefined && { protocolVersion }),
    authorization,
    synchronizers: capabilities['several-synchronizers'] ? 'several' : 'one',
    capabilities,
    judged: rows.filter(({ verdict }) => !['not-applicable', 'blocked', 'error'].includes(verdict)).length,
    digest: footer?.digest ?? '',
  }
}

function combinedFooter(
  records: readonly RunRecord[],
  header: RunHeader,
  rows: readonly RunRow[],
): RunFooter | undefined {
  const footers = records.flatMap(({ footer }) => footer ?? [])
  const [first] = footers
  if (!first || footers.length < records.length) return undefined
  const ended = footers.find((footer) => footer.ended)?.ended
  const { rules: _, ...result } = tallyOf(header, rows)
  const milliseconds = footers.reduce((sum, footer) => sum + footer.milliseconds, 0)
  return {
    type: 'footer',
    ...mergedSummary(records),
    milliseconds,
    ...result,
    ...(ended && { ended }),
    digest: first.digest,
  }
}
