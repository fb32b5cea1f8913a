/** Compiled by tools/build/build-page.mjs, because the page must not generate code. */
import type { ParseTools } from './parse-record.js'

export const isHeader: ParseTools['isHeader']
export const isShared: ParseTools['isShared']
export const isPlan: ParseTools['isPlan']
export const isRow: ParseTools['isRow']
export const isOracles: ParseTools['isOracles']
export const isFooter: ParseTools['isFooter']
