/** Compiled by tools/build/build-checks.mjs from the schemas. */
import type { OraclesLine, RecordedExchange, RunFooter, RunHeader, RunRow } from '../types/record.js'

/** `errors` is about the last invalid value. */
export interface LineCheck<T> {
  (value: unknown): value is T
  errors?: readonly { instancePath: string; message?: string }[] | null
}

export const isHeader: LineCheck<RunHeader>
export const isRow: LineCheck<RunRow>
export const isExchange: LineCheck<RecordedExchange>
export const isOracles: LineCheck<OraclesLine>
export const isFooter: LineCheck<RunFooter>
