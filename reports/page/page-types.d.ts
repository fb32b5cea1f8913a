declare module '*.css'

/** Written by scripts/build-page.mjs from the JSON Schema of the run record. */
declare module 'record-checks' {
  import type { ParseTools } from '../../record/parse-record.js'

  export const isHeader: ParseTools['isHeader']
  export const isRow: ParseTools['isRow']
  export const isFooter: ParseTools['isFooter']
}
