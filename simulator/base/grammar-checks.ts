import { type Grammar, violation } from '../../interface/grammars.js'
import { type ErrorOrigin, invalidArgument, invalidField } from './errors.js'

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
