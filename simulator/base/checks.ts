/** One obligation of the interface as a function. Its id is the id of the rule that it enforces. */
interface Check<T> {
  rule: string
  /** Throws the refusal when the subject breaks the rule. */
  run(subject: T): void
}

const declared = new Set<string>()

/** The checks of one step, in order. Making them declares their rules: from then on these are known by name. */
export class Checks<T> {
  readonly #list: readonly Check<T>[]

  constructor(list: readonly Check<T>[]) {
    this.#list = list
    for (const { rule } of list) declared.add(rule)
  }

  /** Throws the refusal of the first check that fails, those of the given rules left out. */
  runAllBut(without: ReadonlySet<string>, subject: T): void {
    for (const { rule, run } of this.#list) if (!without.has(rule)) run(subject)
  }
}

/** Ids of all rules that a check of the simulator enforces, in alphabetical order. */
export const enforcedRules = (): string[] => [...declared].sort()

/** Decides which checks run: switching one off makes the simulator break exactly that rule. */
export interface Enforcement {
  /** Ids of the rules whose checks are left out. */
  readonly without: ReadonlySet<string>
  enforce<T>(checks: Checks<T>, subject: T): void
}

/** Enforces every check except those of the given rules. */
export function enforceAllBut(without: ReadonlySet<string>): Enforcement {
  return {
    without,
    enforce: (checks, subject) => checks.runAllBut(without, subject),
  }
}
