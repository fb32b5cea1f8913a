/** For callers without TypeScript. */
import { inspect } from 'node:util'
import { suggestion } from '../../lib/suggest.js'
import { ConformanceError } from '../types/conformance-error.js'

/** Throws `ConformanceError`; `where` names the value. */
type Check = (value: unknown, where: string) => void

function reject(where: string, expected: string, value: unknown): never {
  const shown = inspect(value, { depth: 0, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 100 })
  throw new ConformanceError('INVALID_OPTION', `${where}: expected ${expected}, not ${shown}`)
}

export const checkValue =
  (expected: string, isValid: (value: unknown) => boolean): Check =>
  (value, where) => {
    if (!isValid(value)) reject(where, expected, value)
  }

export const checkString: Check = checkValue('a string', (value) => typeof value === 'string')

/** The message does not repeat the value. */
export const checkSecret: Check = (value, where) => {
  if (typeof value !== 'string') reject(where, 'a string', typeof value)
}

/**
 * Bounds are inclusive.
 * @example checkInteger(1, 64)(0, 'concurrency') // throws: concurrency: expected a whole number from 1 to 64, not 0
 */
export const checkInteger = (least: number, most: number): Check =>
  checkValue(
    `a whole number from ${least} to ${most}`,
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
  )

export const checkOneOf = (...values: readonly (string | number)[]): Check =>
  checkValue(values.join(' or '), (value) => values.some((known) => known === value))

export const checkArray =
  (check: Check): Check =>
  (value, where) => {
    if (!Array.isArray(value)) reject(where, 'an array', value)
    for (const [index, item] of value.entries()) check(item, `${where}[${index}]`)
  }

/** Absent and undefined members are valid unless required. */
export const checkObject =
  (checks: Readonly<Record<string, Check>>, required: readonly string[] = []): Check =>
  (value, where) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) reject(where, 'an object', value)
    const members = new Map<string, unknown>(Object.entries(value))
    for (const [name, member] of members) {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined
      if (!check) {
        const problem = `${where} has no member ${inspect(name, { maxStringLength: 100 })}`
        throw new ConformanceError('INVALID_OPTION', `${problem}; ${suggestion(name, Object.keys(checks))}`)
      }
      if (member !== undefined) check(member, where === 'options' ? name : `${where}.${name}`)
    }
    for (const name of required) if (members.get(name) === undefined) reject(`${where}.${name}`, 'a value', undefined)
  }
