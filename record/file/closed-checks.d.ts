/** Compiled by tools/build/build-checks.mjs from the schemas, without further members. */
import type { Evidence, OraclesLine, RecordedExchange, RunFooter, RunHeader } from '../types/record.js'
import type { LineCheck } from './record-checks.js'

export const isClosedHeader: LineCheck<RunHeader>
export const isClosedExchange: LineCheck<RecordedExchange>
export const isClosedOracles: LineCheck<OraclesLine>
export const isClosedEvidence: LineCheck<Evidence>
export const isClosedFooter: LineCheck<RunFooter>
