import { type Grammar, violation } from '../../interface/grammars.js'
import { type ErrorOrigin, invalidArgument, invalidField } from './errors.js'

interface Check<T> {
  rule: string
  /** Throws the error of the rule. */
  run(subject: T): void
}

const declared = new Set<string>()

export class Checks<T> {
  readonly #list: readonly Check<T>[]

  constructor(list: readonly Check<T>[]) {
    this.#list = list
    for (const { rule } of list) declared.add(rule)
  }

  runAllBut(without: ReadonlySet<string>, subject: T): void {
    for (const { rule, run } of this.#list) if (!without.has(rule)) run(subject)
  }
}

export const enforcedRules = (): string[] => [...declared].sort()

/** A skipped check breaks exactly its rule. */
export interface Enforcement {
  readonly without: ReadonlySet<string>
  enforce<T>(checks: Checks<T>, subject: T): void
}

export function enforceAllBut(without: ReadonlySet<string>): Enforcement {
  return {
    without,
    enforce: (checks, subject) => checks.runAllBut(without, subject),
  }
}

/** Throws `INVALID_ARGUMENT`. */
export function checkArgument(origin: ErrorOrigin, grammar: Grammar, text: string): void {
  const problem = violation(grammar, text)
  if (problem) throw invalidArgument(origin, problem)
}

/** Throws `INVALID_FIELD`. */
export function checkField(origin: ErrorOrigin, field: string, grammar: Grammar, text: string): void {
  const problem = violation(grammar, text)
  if (problem) throw invalidField(origin, field, problem)
}

/** An empty string is absent. Throws `INVALID_FIELD`. */
export function checkOptionalField(origin: ErrorOrigin, field: string, grammar: Grammar, text: string): void {
  if (text !== '') checkField(origin, field, grammar, text)
}
