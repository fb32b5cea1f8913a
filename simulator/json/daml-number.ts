/** Numbers as Java reads and prints them. */
import { excerpt } from '../../lib/json/json.js'

const digit = /\p{Nd}/u
// Java rejects digits of two UTF-16 code units.
const digits = /^(?:(?![\u{10000}-\u{10ffff}])\p{Nd})+$/u

/** Digits of a script are ten consecutive code points. */
function digitValue(character: string): string {
  const code = character.charCodeAt(0)
  let zero = code
  while (digit.test(String.fromCharCode(zero - 1))) zero -= 1
  return String(code - zero)
}

/** As `Long.parseLong`: digits of any script. Undefined if malformed or out of range. */
export function parseInt64(text: string): bigint | undefined {
  const bare = text.replace(/^[+-]/, '')
  if (!digits.test(bare)) return undefined
  const significant = bare.replace(/[^0-9]/g, digitValue).replace(/^0+/, '')
  if (significant.length > 19) return undefined
  const size = BigInt(significant)
  const value = text.startsWith('-') ? -size : size
  return value === BigInt.asIntN(64, value) ? value : undefined
}

/** As `Double.toString`: with an exponent below 0.001 and from ten million. */
export function printDouble(value: number): string {
  const size = Math.abs(value)
  if (!Number.isFinite(value)) return String(value)
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const withPoint = (text: string): string => (text.includes('.') ? text : `${text}.0`)
  if (size === 0 || (size >= 1e-3 && size < 1e7)) return sign + withPoint(String(size))
  const [digits = '', exponent = ''] = size.toExponential().split('e')
  return `${sign}${withPoint(digits)}E${Number(exponent)}`
}

type NumericReading =
  | { value: string; refused?: never }
  /** `unreadable`: malformed, or above 38 digits. `unfit`: wrong scale. */
  | { refused: 'unreadable' | 'unfit'; message: string; value?: never }

const numericPattern = /^([+-]?)(\d{1,38})(?:\.(\d{0,37}))?$/

/** Returns the canonical form, or the failed check. */
export function readNumeric(text: string, scale: number): NumericReading {
  const [, sign = '', integral = '', decimals = ''] = numericPattern.exec(text) ?? []
  const whole = integral.replace(/^0+/, '')
  const fraction = decimals.replace(/0+$/, '')
  if (integral === '' || precision(whole, fraction) > 38) {
    return { refused: 'unreadable', message: `Could not read Numeric string ${excerpt(text, 200)}` }
  }
  if (fraction.length > scale) {
    return { refused: 'unfit', message: `Cannot represent ${text} as (Numeric ${scale}) without loss of precision` }
  }
  const padded = fraction.padEnd(scale, '0')
  if (precision(whole, padded) > 38) return { refused: 'unfit', message: `Out-of-bounds (Numeric ${scale}) ${text}` }
  const zero = whole === '' && fraction === ''
  return { value: `${sign === '-' && !zero ? '-' : ''}${whole || '0'}.${padded}` }
}

const precision = (whole: string, fraction: string): number => `${whole}${fraction}`.replace(/^0+/, '').length
