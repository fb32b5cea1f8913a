import { type Grammar, violation } from '../../interface/grammars.js'
import { type ErrorOrigin, invalidArgument, invalidField } from './errors.js'

const declared = new Set<string>()

/** Each check throws the error of its rule. They run in the given order. */
export class Checks<T> {
  readonly #table: Readonly<Record<string, (subject: T) => void>>

  constructor(table: Readonly<Record<string, (subject: T) => void>>) {
    this.#table = table
    for (const rule of Object.keys(table)) declared.add(rule)
  }

  /** A skipped check breaks exactly its rule. */
  run(subject: T, without: ReadonlySet<string>): void {
    for (const [rule, run] of Object.entries(this.#table)) if (!without.has(rule)) run(subject)
  }
}

/** For rules whose check is a condition and throws nothing. */
export function declareRules(...rules: string[]): void {
  for (const rule of rules) declared.add(rule)
}

export const enforcedRules = (): string[] => [...declared].sort()

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
