/** Resumes an interrupted run: judged rows stay, and the rest of the plan runs. */
import type { RowLine, RunHeader, RunRecord } from '../../record/types/record.js'
import type { Verdict } from '../../record/types/verdict.js'
import { variablesOf } from '../template/recorded-variables.js'
import type { Variables } from '../template/variables.js'

export interface EarlierRun {
  record: RunRecord
  /** Without blocked and faulty rows. */
  rows: RowLine[]
}

export class ResumeError extends Error {
  override readonly name = 'ResumeError'

  constructor(why: string) {
    super(`resume: ${why}`)
  }
}

/** Rows with these verdicts run again. */
const unjudged: ReadonlySet<Verdict> = new Set(['blocked', 'error'])

/** Throws `ResumeError`. */
export function earlierRun(record: RunRecord): EarlierRun {
  const { header, plan, footer } = record
  if (header.judgedAgain)
    throw new ResumeError('the record was judged again by another profile. Resume the original record.')
  if (header.target.embedded) throw new ResumeError('the embedded simulator of that run has ended. Start a new run.')
  if (plan.length !== header.planned) {
    throw new ResumeError(
      `the record has ${plan.length} of ${header.planned} plan lines, so no row was sent. Start a new run.`,
    )
  }
  if (footer?.complete && !footer.ended) throw new ResumeError('this run is already complete')
  const seen = new Set<string>()
  const rows = record.rows.filter(({ id, verdict }) => {
    if (seen.has(id) || unjudged.has(verdict)) return false
    seen.add(id)
    return true
  })
  return { record, rows: rows.map(({ resolved: _, ...line }) => line) }
}

/** Throws `ResumeError` unless tool, suite, profile, waivers, participant and plan are unchanged. */
export function expectSame(
  { record: { header, plan } }: EarlierRun,
  { tool, suite, profile, target, waivers = [] }: Pick<RunHeader, 'tool' | 'suite' | 'profile' | 'target' | 'waivers'>,
  participantId: string | undefined,
  planned: readonly { row: { id: string } }[],
): void {
  expectEqual('the tool', `${header.tool.name} ${header.tool.version}`, `${tool.name} ${tool.version}`)
  expectEqual('the version of the target', header.target.version, target.version)
  const before = variablesOf(header.variables).get('participantId')
  expectEqual('the participant', before === undefined ? undefined : String(before), participantId)
  if (header.suite.digest !== suite.digest)
    throw new ResumeError('the suite has changed since that run. Start a new run.')
  if (header.profile.name !== profile.name) {
    throw new ResumeError(
      `that run used the profile ${header.profile.name}, not ${profile.name}. Use --profile ${header.profile.name}.`,
    )
  }
  if (JSON.stringify(header.waivers ?? []) !== JSON.stringify(waivers)) {
    throw new ResumeError('the waivers have changed since that run. Start a new run.')
  }
  const ids = new Set(planned.map(({ row }) => row.id))
  if (ids.size !== plan.length || plan.some(({ row }) => !ids.has(row.id))) {
    throw new ResumeError('the plan differs from the plan of that run. Start a new run.')
  }
}

/** Throws `ResumeError`. */
export const expectSameProtocol = ({ record: { header } }: EarlierRun, protocolVersion: number | undefined): void =>
  expectEqual('the protocol version', header.target.protocolVersion, protocolVersion)

function expectEqual(what: string, before: string | number | undefined, now: string | number | undefined): void {
  if (before === now) return
  throw new ResumeError(
    `${what} was ${before ?? 'unknown'} in that run and is ${now ?? 'unknown'} now. Start a new run.`,
  )
}

/** Earlier rows are judged by these variables. */
export const variablesBefore = ({ record: { header } }: EarlierRun): Variables => variablesOf(header.variables)
