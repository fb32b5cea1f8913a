/** What a run received, for judgements by any profile of a suite. */

import { isDeepStrictEqual } from 'node:util'
import type { Reason } from '../record/types/reason.js'
import type { Evidence, RunRecord, RunRow } from '../record/types/record.js'
import type { ResolvedRow } from '../record/types/resolved-row.js'
import { sentBy } from '../runner/judge/other-expectations.js'
import { type Variables, variablesOf } from '../runner/template/variables.js'

export interface ObservedRun {
  /** Of the participant. */
  version: string | undefined
  protocolVersion: number | undefined
  /** Such as 2026-11-23. */
  date: string
  /** SHA-256 (hex) of the file or of its lines. */
  digest: string
  /** `exchanges`: of the recordings of this project. Variables of the run are missing, so only outcomes can be judged. */
  kind: 'record' | 'exchanges'
  rows: ObservedRow[]
}

export interface ObservedRow {
  id: string
  evidence: Evidence[]
  variables: Variables
  stopped?: Reason | undefined
  /** Whether the recorded requests are those of this row. */
  fits(row: ResolvedRow): boolean
}

/** Rows that were sent completely. */
export function observedRun({ header, rows, footer }: RunRecord): ObservedRun {
  const { version, protocolVersion } = header.target
  return {
    version,
    protocolVersion,
    date: header.startedAt.slice(0, 10),
    digest: footer?.digest ?? '',
    kind: 'record',
    rows: rows.filter(isSent).map((row) => ({
      id: row.id,
      evidence: row.evidence,
      variables: variablesOf(header.variables, row.variables),
      stopped: row.stopped,
      fits: (resolved) => hasSameRequests(row.resolved, resolved),
    })),
  }
}

/** The evidence of blocked rows can come from an outage or a rate limit. */
const isSent = ({ evidence, redacted, verdict }: RunRow): boolean =>
  evidence.length > 0 && redacted !== true && verdict !== 'blocked' && verdict !== 'error'

/** Records keep no order of members. */
const hasSameRequests = (recorded: ResolvedRow, now: ResolvedRow): boolean =>
  isDeepStrictEqual(withoutUndefined(requestsOf(recorded)), withoutUndefined(requestsOf(now)))

const withoutUndefined = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const requestsOf = ({ values, steps }: ResolvedRow): unknown => [values, steps.map(sentBy)]
