/** Parts of times as the reference 3.5.10 (Java) reads them. */

/** Four digits, or more with a sign; no negative zero. */
const year = String.raw`(\d{4}|\+\d{5,10}|-(?!0+-)\d{4,10})`
/** Three groups. */
export const dayPattern = String.raw`${year}-(\d\d)-(\d\d)`
/** Four groups: sign, hours, minutes, seconds. */
export const zonePattern = String.raw`(?:[Zz]|([+-])(\d\d):(\d\d)(?::(\d\d))?)`

const longestOffset = 18 * 3600

/** Days since 1970-01-01. Undefined if the day does not exist. */
export function daysOf(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > lengthOf(month, year)) return undefined
  // Years that begin in March end with the leap day.
  const shifted = month > 2 ? year : year - 1
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400)
  return shifted * 365 + leapDays + dayOfYear - 719_468
}

function lengthOf(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Seconds from the groups of `zonePattern`; 0 for Z. Undefined if malformed or above 18 hours. */
export function zoneOffset(sign: string | undefined, ...parts: (string | undefined)[]): number | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? '0'))
  const size = hours * 3600 + minutes * 60 + seconds
  if (minutes > 59 || seconds > 59 || size > longestOffset) return undefined
  return sign === '-' ? -size : size
}

/** Microseconds of a fraction of up to nine digits, rounded down. */
export const fractionMicros = (digits = ''): bigint => BigInt(digits.padEnd(6, '0').slice(0, 6))
