/** Options as a program without types may give them: what is wrong with one is found before anything is started. */
import { inspect } from 'node:util'
import { suggestion } from '../../lib/suggest.js'
import { ConformanceError } from '../types/conformance-error.js'

/** Throws `ConformanceError` where a value does not fit; `where` names the value. */
type Check = (value: unknown, where: string) => void

function refuse(where: string, expected: string, value: unknown): never {
  const shown = inspect(value, { depth: 0, breakLength: Number.POSITIVE_INFINITY, maxStringLength: 100 })
  throw new ConformanceError('INVALID_OPTION', `${where}: expected ${expected}, not ${shown}`)
}

/** A value for which the condition holds. */
export const that =
  (expected: string, fits: (value: unknown) => boolean): Check =>
  (value, where) => {
    if (!fits(value)) refuse(where, expected, value)
  }

export const text: Check = that('a string', (value) => typeof value === 'string')

/** A string that no message may repeat. */
export const secretText: Check = (value, where) => {
  if (typeof value !== 'string') refuse(where, 'a string', typeof value)
}

export const wholeNumber = (least: number, most: number): Check =>
  that(
    `a whole number from ${least} to ${most}`,
    (value) => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
  )

export const oneOf = (...values: readonly (string | number)[]): Check =>
  that(values.join(' or '), (value) => values.some((known) => known === value))

export const listOf =
  (check: Check): Check =>
  (value, where) => {
    if (!Array.isArray(value)) refuse(where, 'an array', value)
    for (const [index, item] of value.entries()) check(item, `${where}[${index}]`)
  }

/** An object with members of these names and no others; those that are absent or undefined are not checked. */
export const members =
  (checks: Readonly<Record<string, Check>>, needed: readonly string[] = []): Check =>
  (value, where) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(where, 'an object', value)
    const given = new Map<string, unknown>(Object.entries(value))
    for (const [name, member] of given) {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined
      const place = where === 'options' ? name : `${where}.${name}`
      if (!check) {
        const problem = `${where} has no member ${inspect(name, { maxStringLength: 100 })}`
        throw new ConformanceError('INVALID_OPTION', `${problem}; ${suggestion(name, Object.keys(checks))}`)
      }
      if (member !== undefined) check(member, place)
    }
    for (const name of needed) if (given.get(name) === undefined) refuse(`${where}.${name}`, 'a value', undefined)
  }
