/** The mutation report of a suite: its mutants, and the rows that detect them. Read and printed as a file beside the suite. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readInputText } from '../lib/files/read-input.js'
import type { RecordedProof } from '../record/types/record.js'

export interface ProvenMutant {
  name: string
  rule: string
  operation: string
  /** `killed`: by a row that claims the rule. `killed-by-others`: only by rows that claim other rules. */
  outcome: 'killed' | 'killed-by-others' | 'survived'
  /** Number of runs, if more than one. The other members describe the last run. */
  runs?: number
  /** Number of performed rows. */
  performed: number
  /** Number of failed rows that claim the rule, by case. */
  killers: Readonly<Record<string, number>>
  /** Failed rows that claim other rules. */
  others: readonly string[]
  /** Number of rows that could not be judged. */
  unjudged: number
  /** The reason of one failed row. */
  reason?: string
}

export interface MutationReport {
  /** Version and digest of the tested suite. */
  suite: { version: string; digest: string }
  /** Every row was performed against every mutant. */
  all: boolean
  mutants: readonly ProvenMutant[]
}

export interface MutationSummary {
  mutants: number
  rules: number
  killed: number
  killedByOthers: number
  survived: number
  /** Failed rows of other rules for one mutant: median and 90th percentile. */
  othersInTheMedian: number
  othersAtNinety: number
}

export function summaryOf({ mutants }: Pick<MutationReport, 'mutants'>): MutationSummary {
  const count = (outcome: ProvenMutant['outcome']): number => mutants.filter((one) => one.outcome === outcome).length
  const others = mutants.map((one) => one.others.length).toSorted((a, b) => a - b)
  return {
    mutants: mutants.length,
    rules: new Set(mutants.map(({ rule }) => rule)).size,
    killed: count('killed'),
    killedByOthers: count('killed-by-others'),
    survived: count('survived'),
    othersInTheMedian: others[Math.floor(others.length / 2)] ?? 0,
    othersAtNinety: others[Math.floor(others.length * 0.9)] ?? 0,
  }
}

/** The mutants that only this case kills. */
export const killedOnlyBy = ({ mutants }: MutationReport, caseId: string): ProvenMutant[] =>
  mutants.filter(({ killers }) => {
    const cases = Object.keys(killers)
    return cases.length > 0 && cases.every((one) => one === caseId)
  })

/** The part of the report that a run record contains. */
export function proofOf({ suite, mutants }: MutationReport): RecordedProof {
  const rules: RecordedProof['rules'] = {}
  for (const { rule, outcome } of mutants) {
    const known = rules[rule] ?? { deviations: 0, found: 0 }
    rules[rule] = { deviations: known.deviations + 1, found: known.found + (outcome === 'killed' ? 1 : 0) }
  }
  return { suite: suite.digest, rules }
}

/** The file is not a mutation report. */
export class MutationReportError extends Error {
  override readonly name = 'MutationReportError'
}

/** Undefined if the suite has no report. Rejects with `MutationReportError` and `InputError`. */
export async function readMutationReport(suiteFolder: string): Promise<MutationReport | undefined> {
  const file = join(suiteFolder, 'mutation-report.json')
  if (!existsSync(file)) return undefined
  try {
    const found: unknown = JSON.parse(await readInputText(file, 'a page'))
    if (isMutationReport(found)) return found
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new MutationReportError(`${file}: not a mutation report. Write a new one with npm run prove.`)
}

const isMutationReport = (found: unknown): found is MutationReport =>
  typeof found === 'object' && found !== null && 'suite' in found && 'mutants' in found && Array.isArray(found.mutants)

/** One line for each mutant, so that differences between versions are readable. */
export function printMutationReport({ suite, all, mutants }: MutationReport): string {
  const lines = mutants.map(({ reason: told, ...one }) => `    ${JSON.stringify({ ...one, ...(told && { told }) })}`)
  return `{\n  "suite": ${JSON.stringify(suite)},\n  "all": ${all},\n  "mutants": [\n${lines.join(',\n')}\n  ]\n}\n`
}
