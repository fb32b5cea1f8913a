/** The facts of a run as JSON, which `history` reads instead of the record. */
import { parsed } from '../../lib/json/parsed.js'
import type { Verdict } from '../../record/types/verdict.js'
import type { RunFacts, Spread } from './run-facts.js'

interface StoredFacts {
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

/** The facts are valid only for these records and this program. */
export type FactsSource = Pick<StoredFacts, 'records' | 'tool'>

export function writeFacts(facts: RunFacts, { tool, records }: FactsSource): string {
  const { verdicts, latency } = facts
  const stored: StoredFacts = {
    ...{ type: 'history', format: 1, tool, records },
    facts: { ...facts, verdicts: Object.fromEntries(verdicts), latency: Object.fromEntries(latency) },
  }
  return `${JSON.stringify(stored)}\n`
}

/** Undefined for damaged text, and for another format, record or program. Digests do not prove who wrote it (docs/decisions/0118). */
export function readFacts(text: string, { tool, records }: FactsSource): RunFacts | undefined {
  const { type, format, facts, ...stored }: Partial<StoredFacts> = Object(parsed(text))
  if (type !== 'history' || format !== 1 || !facts) return undefined
  if (stored.tool !== tool || JSON.stringify(stored.records) !== JSON.stringify(records)) return undefined
  const { verdicts, latency } = facts
  return { ...facts, verdicts: new Map(Object.entries(verdicts)), latency: new Map(Object.entries(latency)) }
}
