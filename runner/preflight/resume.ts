/** Going on where an earlier run was ended: what it judged stays, and the rest of its plan is run. */
import type { RowLine, RunHeader, RunRecord } from '../../record/types/record.js'
import type { Verdict } from '../../record/types/verdict.js'
import { variablesOf } from '../template/recorded-variables.js'
import type { Variables } from '../template/variables.js'

/** What is taken over from the record of a run that was ended. */
export interface EarlierRun {
  record: RunRecord
  /** Rows that it judged, as its record has them. */
  rows: RowLine[]
}

/** The run cannot be gone on with as it was. */
export class ResumeError extends Error {
  override readonly name = 'ResumeError'

  constructor(why: string) {
    super(`resume: ${why}`)
  }
}

/** Nothing was found out about these: whatever stood in their way may be gone. */
const unjudged: ReadonlySet<Verdict> = new Set(['blocked', 'error'])

/** Throws `ResumeError` where nothing is left to be done, or the record is not one to be built on. */
export function earlierRun(record: RunRecord): EarlierRun {
  const { header, plan, footer } = record
  if (header.judgedAgain) throw new ResumeError('the record was judged by another profile than that of its run')
  if (header.target.embedded) throw new ResumeError('the embedded simulator of that run is gone; run it anew')
  if (plan.length !== header.planned) {
    throw new ResumeError(
      `the record has ${plan.length} of ${header.planned} lines of its plan: it was ended before any row; run it anew`,
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

/** Throws `ResumeError` unless it is the same suite by the same profile, judged by the same tool, of the same participant: verdicts of two are no one run. */
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
    throw new ResumeError('the suite is not the one of that run any more; run it anew')
  if (header.profile.name !== profile.name) {
    throw new ResumeError(`that run was judged by ${header.profile.name}, and not by ${profile.name}`)
  }
  if (JSON.stringify(header.waivers ?? []) !== JSON.stringify(waivers)) {
    throw new ResumeError('the waivers are not those of that run any more; run it anew')
  }
  const ids = new Set(planned.map(({ row }) => row.id))
  if (ids.size !== plan.length || plan.some(({ row }) => !ids.has(row.id))) {
    throw new ResumeError('the plan would be another one than that of that run; run it anew')
  }
}

/** Throws `ResumeError` where what the rest of the plan would be judged by is not what its beginning was. */
export const expectSameProtocol = ({ record: { header } }: EarlierRun, protocolVersion: number | undefined): void =>
  expectEqual('the protocol version', header.target.protocolVersion, protocolVersion)

function expectEqual(what: string, before: string | number | undefined, now: string | number | undefined): void {
  if (before === now) return
  throw new ResumeError(`${what} is ${now ?? 'unknown'} now, and was ${before ?? 'unknown'} in that run; run it anew`)
}

/** What a record that goes on has in its header: rows of before are judged by what was at hand then. */
export const variablesBefore = ({ record: { header } }: EarlierRun): Variables => variablesOf(header.variables)
