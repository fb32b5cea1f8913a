/** One obligation of the interface as a function. Its id is the id of the rule that it enforces. */
export interface Check<T> {
  rule: string
  /** Throws the refusal when the subject breaks the rule. */
  run(subject: T): void
}

/** Decides which checks run: switching one off makes the simulator break exactly that rule. */
export interface Enforcement {
  enforce<T>(checks: readonly Check<T>[], subject: T): void
}

/** Enforces every check except those of the given rules. */
export function enforceAllBut(without: ReadonlySet<string>): Enforcement {
  return {
    enforce: (checks, subject) => {
      for (const check of checks) if (!without.has(check.rule)) check.run(subject)
    },
  }
}
