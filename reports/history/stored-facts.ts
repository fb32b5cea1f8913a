/** The facts of a run as JSON, which `history` reads instead of the record. Untrusted, like a record. */
import { isStoredFacts, type StoredFacts } from './facts-check.js'
import type { RunFacts } from './run-facts.js'

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

/** Undefined for damaged text, and for another format, record or program. */
export function readFacts(text: string, { tool, records }: FactsSource): RunFacts | undefined {
  const stored = parsed(text)
  if (!isStoredFacts(stored) || stored.tool !== tool || stored.records.join() !== records.join()) return undefined
  const { verdicts, latency } = stored.facts
  return { ...stored.facts, verdicts: new Map(Object.entries(verdicts)), latency: new Map(Object.entries(latency)) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
