/** Schema checks of record lines. scripts/build-page.mjs compiles them, because the page must not generate code. */
import type { ParseTools } from './parse-record.js'

export const isHeader: ParseTools['isHeader']
export const isPlan: ParseTools['isPlan']
export const isRow: ParseTools['isRow']
export const isFooter: ParseTools['isFooter']
