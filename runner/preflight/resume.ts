import { UsageError } from '../../lib/usage-error.js'
import { lacksLateCheck } from '../../record/judgements/tally.js'
import type { RunHeader, RunRecord, RunRow } from '../../record/types/record.js'
import type { Verdict } from '../../record/types/verdict.js'
import { type Variables, variablesOf } from '../template/variables.js'

export interface EarlierRun {
  record: RunRecord
  /** Without blocked and faulty rows, and rows without their late-effects check. */
  rows: RunRow[]
}

export const notResumed = (why: string): UsageError => new UsageError(`resume: ${why}`)

/** These rows run again. */
const unjudged: ReadonlySet<Verdict> = new Set(['blocked', 'error'])

/** Throws `UsageError`. */
export function earlierRun(record: RunRecord): EarlierRun {
  const { header, footer } = record
  if (header.judgedAgain)
    throw notResumed('the record was judged again by another profile. Resume the original record.')
  if (header.target.embedded) throw notResumed('the embedded simulator of that run has ended. Start a new run.')
  if (record.rows.length === 0) throw notResumed('the record has no complete row. Start a new run.')
  if (footer?.complete && !footer.ended)
    throw notResumed('this run is already complete. Start a new run without --resume.')
  const seen = new Set<string>()
  const rows = record.rows.filter((row) => {
    // The end of a run can cut off the late-effects check of a row.
    if (seen.has(row.id) || unjudged.has(row.verdict) || lacksLateCheck(row, record) || lacksEvidence(row)) return false
    seen.add(row.id)
    return true
  })
  return { record, rows }
}

/** A damaged record keeps the verdict of a row without its exchanges. */
const lacksEvidence = ({ verdict, evidence }: RunRow): boolean => evidence.length === 0 && verdict !== 'not-applicable'

/** Throws `UsageError`. */
export function expectSame(
  { record: { header } }: EarlierRun,
  { tool, suite, profile, target, waivers = [] }: RunHeader,
  participantId: string | undefined,
  planned: readonly { row: { id: string } }[],
): void {
  expectEqual('the tool', `${header.tool.name} ${header.tool.version}`, `${tool.name} ${tool.version}`)
  expectEqual('the version of the target', header.target.version, target.version)
  const before = variablesOf(header.variables).get('participantId')
  expectEqual('the participant', before === undefined ? undefined : String(before), participantId)
  if (header.suite.digest !== suite.digest) throw notResumed('the suite has changed since that run. Start a new run.')
  if (header.profile.name !== profile.name) {
    throw notResumed(
      `that run used the profile ${header.profile.name}, not ${profile.name}. Use --profile ${header.profile.name}.`,
    )
  }
  if (header.profile.file?.text !== profile.file?.text)
    throw notResumed('the profile file has changed since that run. Start a new run.')
  if (JSON.stringify(header.waivers ?? []) !== JSON.stringify(waivers)) {
    throw notResumed('the waivers have changed since that run. Start a new run.')
  }
  const ids = new Set(planned.map(({ row }) => row.id))
  if (ids.size !== header.plan.length || header.plan.some((id) => !ids.has(id))) {
    throw notResumed('the plan differs from the plan of that run. Start a new run.')
  }
}

/** Throws `UsageError`. */
export const expectSameProtocol = ({ record: { header } }: EarlierRun, protocolVersion: number | undefined): void =>
  expectEqual('the protocol version', header.target.protocolVersion, protocolVersion)

function expectEqual(what: string, before: string | number | undefined, now: string | number | undefined): void {
  if (before === now) return
  throw notResumed(`${what} was ${before ?? 'unknown'} in that run and is ${now ?? 'unknown'} now. Start a new run.`)
}

export const variablesBefore = ({ record: { header } }: EarlierRun): Variables => variablesOf(header.variables)
