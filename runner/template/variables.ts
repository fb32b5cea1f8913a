import { type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import type { Data } from '../../record/types/resolved-row.js'
import { generators } from './generators.js'
import { type KeyedGeneration, withoutKeys } from './keyed-generation.js'

export type Variables = ReadonlyMap<string, JsonValue>

/** Where a name in a text is looked up. */
export type Scope = Pick<Variables, 'get'>

/** A piece of a suite asks for a variable that nothing has set, or for a value that cannot be made. */
export class VariableError extends Error {
  override readonly name: string = 'VariableError'
}

const whole = /^\$\{([\w.-]+)\}$/
const inside = /\$\{([\w.-]+)\}/g

/**
 * Replaces `${name}` in texts and in names of members; a text that is nothing but one variable takes the variable's own
 * type. Objects with a `$` member become the value that they describe; `keyed` makes those that take keys. Throws `VariableError`.
 */
export function fill(data: Data, variables: Scope, keyed: KeyedGeneration = withoutKeys): JsonValue {
  if (typeof data === 'string') return fillText(data, variables)
  if (Array.isArray(data)) return data.map((item) => fill(item, variables, keyed))
  if (typeof data !== 'object' || data === null) return data
  const made = generate(data, variables, keyed)
  if (made !== undefined) return made
  const filled: JsonObject = {}
  for (const [name, item] of Object.entries(data)) {
    const plain = { value: fill(item, variables, keyed), writable: true, enumerable: true, configurable: true }
    // A member called __proto__ must arrive as a member.
    Object.defineProperty(filled, textOf(name, variables), plain)
  }
  return filled
}

/** The variables and, beside them, those that a suite sets itself, each of which may speak of those before it. Throws `VariableError`. */
export function withValues(
  values: Readonly<Record<string, Data>>,
  variables: Variables,
  keyed: KeyedGeneration,
): Variables {
  const scope = new Map(variables)
  for (const [name, value] of Object.entries(values)) scope.set(name, fill(value, scope, keyed))
  return scope
}

/** A text that is nothing but one variable. */
export const isWholeVariable = (data: Data | undefined): boolean => typeof data === 'string' && whole.test(data)

/** An object that describes a value, as `{ $repeat: a, times: 256 }`. */
export const isGenerator = (data: Data | undefined): boolean =>
  typeof data === 'object' && data !== null && !Array.isArray(data) && generatorIn(data) !== undefined

const generatorIn = (data: Record<string, Data>): string | undefined =>
  Object.keys(data).find((key) => key.startsWith('$') && !key.startsWith('${'))

function fillText(text: string, variables: Scope): JsonValue {
  const name = whole.exec(text)?.[1]
  return name === undefined ? textOf(text, variables) : lookUp(name, variables)
}

/** The text with its variables replaced, each spelt as asked; what is no text is printed as JSON. Throws `VariableError`. */
export function textOf(text: string, variables: Scope, spell = (value: string): string => value): string {
  return text.replace(inside, (_, name: string) => {
    const value = lookUp(name, variables)
    return spell(typeof value === 'string' ? value : printJson(value))
  })
}

function lookUp(name: string, variables: Scope): JsonValue {
  const value = variables.get(name)
  if (value === undefined) throw new VariableError(`nothing has set the variable \${${name}}`)
  return value
}

/** The members by which a suite describes a value, such as `$repeat`. */
export const generatorNames: readonly string[] = Object.keys(generators)

function generate(data: Record<string, Data>, variables: Scope, keyed: KeyedGeneration): JsonValue | undefined {
  const name = generatorIn(data)
  if (name === undefined) return undefined
  const filled = Object.fromEntries(Object.entries(data).map(([key, item]) => [key, fill(item, variables, keyed)]))
  const generated = generators[name]?.(filled[name] ?? null, filled, keyed)
  if (generated !== undefined) return generated
  throw new VariableError(
    `${name} cannot be generated from ${JSON.stringify(data)}; known: ${Object.keys(generators).join(', ')}`,
  )
}
