/** The mutation report beside a suite. The laboratory writes it; runs read what reports cite. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readInputText } from '../../lib/files/read-input.js'
import { parsed } from '../../lib/json/parsed.js'
import { UsageError } from '../../lib/usage-error.js'
import type { RecordedProof } from '../../record/types/record.js'

interface KilledRule {
  rule: string
  /** `killed`: by a row that claims the rule, or by a finding. `killed-by-others`: only by rows of other rules. */
  outcome: 'killed' | 'killed-by-others' | 'survived'
}

/** Other members of the file are for the laboratory. */
export interface CitedMutationReport {
  suite: { version: string; digest: string }
  mutants: readonly KilledRule[]
}

/** Undefined without a report. Rejects with `UsageError` and `InputError`. */
export async function readMutationReport(suiteFolder: string): Promise<CitedMutationReport | undefined> {
  const file = join(suiteFolder, 'mutation-report.json')
  if (!existsSync(file)) return undefined
  const found = parsed(await readInputText(file, 'a mutation report'))
  if (isMutationReport(found)) return found
  throw new UsageError(`${file}: not a mutation report. Write a new one with npm run prove.`)
}

const isMutationReport = (found: unknown): found is CitedMutationReport =>
  typeof found === 'object' && found !== null && 'suite' in found && 'mutants' in found && Array.isArray(found.mutants)

/** The counts of seeded faults for each rule, as a record contains them. */
export function proofOf({ suite, mutants }: CitedMutationReport): RecordedProof {
  const rules: RecordedProof['rules'] = {}
  for (const { rule, outcome } of mutants) {
    const known = rules[rule] ?? { deviations: 0, found: 0 }
    rules[rule] = { deviations: known.deviations + 1, found: known.found + (outcome === 'killed' ? 1 : 0) }
  }
  return { suite: suite.digest, rules }
}
