/** Checks of the lines of a record. scripts/build-page.mjs writes them from the JSON Schemas: the page may make no code, and commands need not wait for it. */
import type { ParseTools } from './parse-record.js'

export const isHeader: ParseTools['isHeader']
export const isPlan: ParseTools['isPlan']
export const isRow: ParseTools['isRow']
export const isFooter: ParseTools['isFooter']
