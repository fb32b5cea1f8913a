/** Lengths and orders count code points. */
import { createHash } from 'node:crypto'
import { EvaluationFailure, illTyped } from '../failures.js'
import { powerOfTen } from '../numeric.js'
import {
  type HostFunctionValue,
  hostFunction,
  itemsOf,
  listOf,
  type NumericValue,
  none,
  type Value,
} from '../values.js'
import { type Args, list, numeric, optional, text } from './arguments.js'

/** In UTF-16 units. */
const longestText = 8 * 1024 * 1024

const charactersPerStep = 16

const tooLong = () => new EvaluationFailure({ kind: 'limit', of: 'memory' })

function append(a: string, b: string): string {
  if (a.length + b.length > longestText) throw tooLong()
  return a + b
}

/** Its cost grows with its arguments. */
const onTexts = (arity: number, compute: (args: Args) => Value, perStep = charactersPerStep): HostFunctionValue =>
  hostFunction(arity, (args, host) => {
    const length = args.reduce((sum: number, arg) => sum + (typeof arg === 'string' ? arg.length : 0), 0)
    host.spend(Math.floor(length / perStep))
    return compute(args)
  })

const partyForm = /^[A-Za-z0-9:\-_ ]{1,255}$/
const integerForm = /^[+-]?\d+$/
const numericForm = /^([+-]?)0*(\d+)(?:\.(\d*[1-9]|0)0*)?$/

function parseInteger(digits: string): bigint | undefined {
  if (!integerForm.test(digits) || digits.replace(/^[+-]?0*/, '').length > 19) return undefined
  const value = BigInt(digits.replace('+', ''))
  return BigInt.asIntN(64, value) === value ? value : undefined
}

function parseNumericOf(scale: number, given: string): NumericValue | undefined {
  const [, sign, whole, fraction = '0'] = numericForm.exec(given) ?? []
  if (whole === undefined) return undefined
  const decimals = fraction === '0' ? '' : fraction
  const digits = whole === '0' ? '' : whole
  if (digits.length > 38 - scale || decimals.length > scale) return undefined
  const value = BigInt(whole) * powerOfTen(scale) + BigInt(decimals.padEnd(scale, '0') || '0')
  return { kind: 'numeric', digits: sign === '-' ? -value : value, scale }
}

function implode(args: Args, spend: (steps: number) => void): string {
  const parts: string[] = []
  let length = 0
  for (const part of itemsOf(list(args, 0))) {
    if (typeof part !== 'string') return illTyped('an item of the list is not a Text')
    spend(1)
    length += part.length
    if (length > longestText) throw tooLong()
    parts.push(part)
  }
  return parts.join('')
}

function fromCodePoints(args: Args, spend: (steps: number) => void): string {
  const points: string[] = []
  for (const point of itemsOf(list(args, 0))) {
    spend(1)
    if (typeof point !== 'bigint' || point < 0n || point > 0x10ffffn || (point >= 0xd800n && point <= 0xdfffn)) {
      return illTyped(`invalid code point ${String(point)}`)
    }
    points.push(String.fromCodePoint(Number(point)))
  }
  return points.join('')
}

export const texts = {
  APPEND_TEXT: onTexts(2, (args) => append(text(args, 0), text(args, 1))),
  EXPLODE_TEXT: onTexts(1, (args) => listOf([...text(args, 0)]), 1),
  IMPLODE_TEXT: hostFunction(1, (args, host) => implode(args, (steps) => host.spend(steps))),
  CODE_POINTS_TO_TEXT: hostFunction(1, (args, host) => fromCodePoints(args, (steps) => host.spend(steps))),
  TEXT_TO_CODE_POINTS: onTexts(
    1,
    (args) => listOf(Array.from(text(args, 0), (point) => BigInt(point.codePointAt(0) ?? 0))),
    1,
  ),
  PARTY_TO_TEXT: hostFunction(1, (args) => text(args, 0)),
  TEXT_TO_PARTY: onTexts(1, (args) => optional(partyForm.test(text(args, 0)) ? text(args, 0) : undefined)),
  TEXT_TO_INT64: onTexts(1, (args) => optional(parseInteger(text(args, 0)))),
  TEXT_TO_NUMERIC: onTexts(2, (args) => optional(parseNumericOf(numeric(args, 0).scale, text(args, 1)))),
  // Contract ids are not known during interpretation.
  CONTRACT_ID_TO_TEXT: hostFunction(1, () => none),
  SHA256_TEXT: onTexts(1, (args) => createHash('sha256').update(text(args, 0)).digest('hex')),
  TEXT_TO_HEX: onTexts(1, (args) => Buffer.from(text(args, 0)).toString('hex')),
}
