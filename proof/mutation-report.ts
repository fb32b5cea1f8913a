/** The mutation report: which mutants the suite finds, and by which rows. */
import type { RecordedProof } from '../record/types/record.js'

export interface ProvenMutant {
  name: string
  rule: string
  operation: string
  /** `killed`: by a row that claims the rule; `killed-by-others`: by rows that claim other rules alone. */
  outcome: 'killed' | 'killed-by-others' | 'survived'
  /** Runs, if there was more than one; the other members describe the last. */
  runs?: number
  /** Rows that were performed. */
  performed: number
  /** Cases with failing rows that claim the rule, each with how many they are. */
  killers: Readonly<Record<string, number>>
  /** Failing rows that claim other rules. */
  others: readonly string[]
  /** Rows that could not be judged. */
  unjudged: number
  /** What one of the failing rows says. */
  told?: string
}

export interface MutationReport {
  /** Version and digest of the suite that was proven. */
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
  /** Of rows that claim other rules: how many fail with a mutant, in the median and at the 90th percentile. */
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

/** The mutants that nobody would find without the case: the report knows no other that has. */
export const heldUpBy = ({ mutants }: MutationReport, dropped: string): ProvenMutant[] =>
  mutants.filter(({ killers }) => {
    const cases = Object.keys(killers)
    return cases.length > 0 && cases.every((one) => one === dropped)
  })

/** What a run record says of it. */
export function proofOf({ suite, mutants }: MutationReport): RecordedProof {
  const rules: RecordedProof['rules'] = {}
  for (const { rule, outcome } of mutants) {
    const known = rules[rule] ?? { deviations: 0, found: 0 }
    rules[rule] = { deviations: known.deviations + 1, found: known.found + (outcome === 'killed' ? 1 : 0) }
  }
  return { suite: suite.digest, rules }
}
