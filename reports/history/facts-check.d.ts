/** Compiled by tools/build/build-checks.mjs from stored-facts.schema.json. */
import type { Verdict } from '../../record/types/verdict.js'
import type { RunFacts, Spread } from './run-facts.js'

/** As in the schema. */
export interface StoredFacts {
  type: 'history'
  format: 1
  /** SHA-256 (hex) of the program files. */
  tool: string
  /** SHA-256 (hex) of each record; one for each configuration. */
  records: readonly string[]
  facts: Omit<RunFacts, 'verdicts' | 'latency'> & {
    verdicts: Record<string, Verdict>
    latency: Record<string, Spread>
  }
}

export const isStoredFacts: (value: unknown) => value is StoredFacts
