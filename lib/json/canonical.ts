/** Independent of member order and number spelling. */
import { JsonNumber, type JsonStyle, type JsonValue, printStyled } from './json.js'

const canonicalStyle: JsonStyle = { number: canonicalNumber, namesOf: (members) => Object.keys(members).sort() }

/** Equal exactly for equal values. Without recursion. */
export const canonical = (value: JsonValue): string => printStyled(value, Number.POSITIVE_INFINITY, canonicalStyle)

function canonicalNumber(value: number | JsonNumber): string {
  const decimal = decimalOf(value)
  if (decimal) return `${decimal.sign < 0 ? '-' : ''}${decimal.digits}e${decimal.exponent}`
  // A number without exact decimal value.
  return typeof value === 'number' ? String(value) : value.text
}

export const same = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  a === undefined || b === undefined ? a === b : canonical(a) === canonical(b)

/** `0.digits` times ten to the exponent, without outer zeros; zero has no digits. */
interface Decimal {
  sign: -1 | 0 | 1
  digits: string
  exponent: bigint
}

const decimalForm = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,1000}))?$/

function decimalOf(value: JsonValue | undefined): Decimal | undefined {
  const text = typeof value === 'number' ? String(value) : value instanceof JsonNumber ? value.text : ''
  const parts = decimalForm.exec(text)
  if (!parts) return undefined
  const [, minus, whole = '', fraction = '', power = '0'] = parts
  const all = whole + fraction
  const significant = all.replace(/^0+/, '')
  if (significant === '') return { sign: 0, digits: '', exponent: 0n }
  const exponent = BigInt(power) + BigInt(whole.length - (all.length - significant.length))
  return { sign: minus ? -1 : 1, digits: withoutTrailingZeros(significant), exponent }
}

/** A regular expression takes quadratic time. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** Negative, zero or positive; NaN unless both are numbers. */
export function compareNumbers(a: JsonValue | undefined, b: JsonValue | undefined): number {
  const [left, right] = [decimalOf(a), decimalOf(b)]
  if (!left || !right) return Number.NaN
  if (left.sign !== right.sign) return left.sign - right.sign
  return left.sign * (inOrder(left.exponent, right.exponent) || inOrder(left.digits, right.digits))
}

const inOrder = <T extends string | bigint>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

/** Accepts any spelling, such as `1e3`. */
export function isInteger(value: JsonValue | undefined): boolean {
  const decimal = decimalOf(value)
  return decimal !== undefined && BigInt(decimal.digits.length) <= decimal.exponent
}
