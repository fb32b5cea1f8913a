/** Compiled by tools/build/build-checks.mjs from the schemas. */
import type { OraclesLine, RecordedExchange, RunFooter, RunHeader, RunRow } from '../types/record.js'
import type { ResolvedStep } from '../types/resolved-row.js'

/** `errors` is about the last invalid value. */
export interface LineCheck<T> {
  (value: unknown): value is T
  errors?: readonly { instancePath: string; message?: string }[] | null
}

export const isHeader: LineCheck<RunHeader>
/** Except for its steps. */
export const isRow: LineCheck<RunRow>
export const isStep: LineCheck<ResolvedStep>
export const isExchange: LineCheck<RecordedExchange>
export const isOracles: LineCheck<OraclesLine>
export const isFooter: LineCheck<RunFooter>
