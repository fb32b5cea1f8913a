/** Decimals of 38 digits. */
import type { NumericValue } from './values.js'

const bound = 10n ** 38n

export const powerOfTen = (exponent: number): bigint => 10n ** BigInt(exponent)

/**
 * Scale: the decimal places.
 * @example parseNumeric('1.50') // { kind: 'numeric', digits: 150n, scale: 2 }
 */
export function parseNumeric(text: string): NumericValue {
  const [whole = '', fraction = ''] = text.split('.')
  return { kind: 'numeric', digits: BigInt(whole + fraction), scale: fraction.length }
}

/** Undefined above 38 digits. */
export const inBounds = (digits: bigint, scale: number): NumericValue | undefined =>
  digits > -bound && digits < bound ? { kind: 'numeric', digits, scale } : undefined

/** Rounds half to even. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const [a, b] = divisor < 0n ? [-dividend, -divisor] : [dividend, divisor]
  const quotient = a / b
  const twice = 2n * (a - quotient * b)
  const excess = twice < 0n ? -twice : twice
  if (excess < b || (excess === b && quotient % 2n === 0n)) return quotient
  return a < 0n ? quotient - 1n : quotient + 1n
}

/** Rounds if digits are lost. */
export const rescaled = (digits: bigint, from: number, to: number): bigint =>
  to >= from ? digits * powerOfTen(to - from) : divideHalfEven(digits, powerOfTen(from - to))

/** All decimal places, and always a point. */
export function printNumeric({ digits, scale }: NumericValue): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const point = text.length - scale
  return `${digits < 0n ? '-' : ''}${text.slice(0, point)}.${text.slice(point)}`
}

/** Without trailing zeros, but with one decimal place. */
export function showNumeric(value: NumericValue): string {
  const shortened = printNumeric(value).replace(/0+$/, '')
  return shortened.endsWith('.') ? `${shortened}0` : shortened
}
