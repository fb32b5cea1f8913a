import { type JsonObject, type JsonValue, parseJson, printJson, setMember } from '../../lib/json/json.js'
import { cachedBy } from '../../lib/made-once.js'
import type { RecordedVariables } from '../../record/types/record.js'
import type { Data } from '../../record/types/resolved-row.js'
import { generators, type KeyedGeneration, withoutKeys } from './generators.js'
import { pointerParts, removeAt, setAt } from './pointer.js'

export type Variables = ReadonlyMap<string, JsonValue>

export interface Scope {
  get(name: string): JsonValue | undefined
}

export class VariableError extends Error {
  override readonly name: string = 'VariableError'
}

const whole = /^\$\{([\w.-]+)\}$/
const inside = /\$\{([\w.-]+)\}/g

/**
 * A variable alone keeps its type. Throws `VariableError`.
 * @example
 * const variables = new Map<string, JsonValue>([['user', 'alice'], ['end', 7]])
 * fill({ id: 'c-${end}', offset: '${end}' }, variables) // { id: 'c-7', offset: 7 }
 */
export function fill(data: Data, variables: Scope, keyed: KeyedGeneration = withoutKeys): JsonValue {
  if (typeof data === 'string') return fillText(data, variables)
  if (Array.isArray(data)) return data.map((item) => fill(item, variables, keyed))
  if (typeof data !== 'object' || data === null) return data
  const generated = generate(data, variables, keyed)
  if (generated !== undefined) return generated
  const filled: JsonObject = {}
  for (const [name, item] of Object.entries(data))
    setMember(filled, textOf(name, variables), fill(item, variables, keyed))
  return filled
}

/** Each value may use earlier ones. Throws `VariableError`. */
export function withValues(
  values: Readonly<Record<string, Data>>,
  variables: Variables,
  keyed: KeyedGeneration,
): Variables {
  const own = Object.entries(values)
  if (own.length === 0) return variables
  const scope = new Map(variables)
  for (const [name, value] of own) scope.set(name, fill(value, scope, keyed))
  return scope
}

const isWholeVariable = (data: Data | undefined): boolean => typeof data === 'string' && whole.test(data)

const isGenerator = (data: Data | undefined): boolean =>
  typeof data === 'object' && data !== null && !Array.isArray(data) && generatorIn(data) !== undefined

const generatorIn = (data: Record<string, Data>): string | undefined =>
  Object.keys(data).find((key) => key.startsWith('$') && !key.startsWith('${'))

function fillText(text: string, variables: Scope): JsonValue {
  const name = whole.exec(text)?.[1]
  return name === undefined ? textOf(text, variables) : lookUp(name, variables)
}

/** Throws `VariableError`. */
export function textOf(text: string, variables: Scope, spell = (value: string): string => value): string {
  return text.replace(inside, (_, name: string) => {
    const value = lookUp(name, variables)
    return spell(typeof value === 'string' ? value : printJson(value))
  })
}

function lookUp(name: string, variables: Scope): JsonValue {
  const value = variables.get(name)
  if (value === undefined) throw new VariableError(`the variable \${${name}} is not set`)
  return value
}

export const generatorNames: readonly string[] = Object.keys(generators)

function generate(data: Record<string, Data>, variables: Scope, keyed: KeyedGeneration): JsonValue | undefined {
  const name = generatorIn(data)
  if (name === undefined) return undefined
  const filled = Object.fromEntries(Object.entries(data).map(([key, item]) => [key, fill(item, variables, keyed)]))
  const generated = generators[name]?.(filled[name] ?? null, filled, keyed)
  if (generated !== undefined) return generated
  throw new VariableError(
    `cannot generate ${name} from ${JSON.stringify(data)}; known generators: ${generatorNames.join(', ')}`,
  )
}

export const userVariable = (actor: string): string => `user.${actor}`

/** Defines `${user}`. */
export function asCaller(actor: string, variables: Variables): Scope {
  const user = variables.get(userVariable(actor))
  // A view avoids copying hundreds of variables for each request.
  return typeof user === 'string' ? { get: (name) => (name === 'user' ? user : variables.get(name)) } : variables
}

/** Omits variables with the same value in `known`. */
export function recordedVariables(variables: Variables, known: Variables = new Map()): RecordedVariables {
  const own = [...variables].filter(([name, value]) => known.get(name) !== value)
  return Object.fromEntries(own.map(([name, value]) => [name, printJson(value)]))
}

/** Later arguments override earlier ones. Throws `JsonSyntaxError`. */
export const variablesOf = (...recorded: (RecordedVariables | undefined)[]): Variables =>
  new Map(recorded.flatMap((one) => (one ? parsedVariables(one) : [])))

/** Parsed values by recorded object: all rows of a record share the variables of its header. */
const parsedVariables = cachedBy((recorded: RecordedVariables) =>
  Object.entries(recorded).map(([name, text]): [name: string, value: JsonValue] => [name, parseJson(text)]),
)

/** Throws `PointerError`. */
export const applyEdit = <Value extends JsonValue>(
  value: Value,
  edit: { at: string; set: Value } | { at: string; remove: true },
): Value => ('set' in edit ? setAt(value, edit.at, edit.set) : removeAt(value, edit.at))

export function isGeneratedAt(template: Data, pointer: string): boolean {
  let node: Data | undefined = template
  for (const part of pointerParts(pointer)) {
    if (isWholeVariable(node) || isGenerator(node)) return true
    if (Array.isArray(node)) node = node[Number(part)]
    else if (typeof node === 'object' && node !== null && Object.hasOwn(node, part)) node = node[part]
    else return false
  }
  return false
}
