/** Decimal numbers of 38 digits, as Daml reckons with them. */
import { NumericValue } from './values.js'

const bound = 10n ** 38n

export const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent)

/** A literal: its scale is the number of digits behind the point. */
export function parseNumeric(text: string): NumericValue {
  const [whole = '', fraction = ''] = text.split('.')
  return new NumericValue(BigInt(whole + fraction), fraction.length)
}

/** Undefined: the number has more than 38 digits. */
export const inBounds = (digits: bigint, scale: number): NumericValue | undefined =>
  digits > -bound && digits < bound ? new NumericValue(digits, scale) : undefined

/** Divides, and rounds to the nearest whole number, a half to the even one. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const [a, b] = divisor < 0n ? [-dividend, -divisor] : [dividend, divisor]
  const quotient = a / b
  const twice = 2n * (a - quotient * b)
  const excess = twice < 0n ? -twice : twice
  if (excess < b || (excess === b && quotient % 2n === 0n)) return quotient
  return a < 0n ? quotient - 1n : quotient + 1n
}

/** The same number with another scale, rounded where digits are lost. */
export const rescaled = (digits: bigint, from: number, to: number): bigint =>
  to >= from ? digits * powerOfTen(to - from) : divideHalfEven(digits, powerOfTen(from - to))

/** With every digit behind the point, and the point even where there is none: the canonical text of a Numeric. */
export function printNumeric({ digits, scale }: NumericValue): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const point = text.length - scale
  return `${digits < 0n ? '-' : ''}${text.slice(0, point)}.${text.slice(point)}`
}

/** As programs see it: no zeros at the end, but always one digit behind the point. */
export function showNumeric(value: NumericValue): string {
  const shortened = printNumeric(value).replace(/0+$/, '')
  return shortened.endsWith('.') ? `${shortened}0` : shortened
}
