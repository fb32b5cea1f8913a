/** Checks of the lines of a record. scripts/build-page.mjs writes them from the JSON Schemas, since the page may make no code. */
import type { ParseTools } from '../../record/parse-record.js'

export const isHeader: ParseTools['isHeader']
export const isPlan: ParseTools['isPlan']
export const isRow: ParseTools['isRow']
export const isFooter: ParseTools['isFooter']
