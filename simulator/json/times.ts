/** Days, times and instants as the reference 3.5.10 (Java) reads them. */
import { excerpt } from '../../lib/json/json.js'
import type { Decoder } from './decode.js'

/** Four digits, or more with a sign; no negative zero. */
const year = String.raw`(\d{4}|\+\d{5,10}|-(?!0+-)\d{4,10})`
/** Three groups. */
const dayPattern = String.raw`${year}-(\d\d)-(\d\d)`
/** Four groups: sign, hours, minutes, seconds. */
const zonePattern = String.raw`(?:[Zz]|([+-])(\d\d):(\d\d)(?::(\d\d))?)`

const longestOffset = 18 * 3600

/** Days since 1970-01-01. Undefined if the day does not exist. */
function daysOf(year: number, month: number, day: number): number | undefined {
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
function zoneOffset(sign: string | undefined, ...parts: (string | undefined)[]): number | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? '0'))
  const size = hours * 3600 + minutes * 60 + seconds
  if (minutes > 59 || seconds > 59 || size > longestOffset) return undefined
  return sign === '-' ? -size : size
}

/** Microseconds of a fraction of up to nine digits, rounded down. */
const fractionMicros = (digits = ''): bigint => BigInt(digits.padEnd(6, '0').slice(0, 6))

/** Four groups. Seconds and fraction are optional. */
const timePattern = String.raw`(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{0,9}))?)?`

/** ISO_LOCAL_DATE of Java. */
const datePattern = new RegExp(`^${dayPattern}$`)
/** ISO_DATE_TIME of Java. */
const timestampPattern = new RegExp(String.raw`^${dayPattern}[Tt]${timePattern}${zonePattern}(?:\[([^\]]+)\])?$`)

const longestYear = 999_999_999

/** Days since 1970-01-01, truncated to 32 bits as in Java. Undefined if invalid. */
export function parseDate(text: string): number | undefined {
  const days = dayIn(datePattern.exec(text))
  return days === undefined ? undefined : days | 0
}

/** Microseconds since 1970, rounded down. Undefined if invalid. */
export function parseTimestamp(text: string): bigint | undefined {
  const found = timestampPattern.exec(text)
  const days = dayIn(found)
  if (!found || days === undefined) return undefined
  const [hour = 0, minute = 0, second = 0] = found.slice(4, 7).map((part) => Number(part ?? '0'))
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const offset = zoneOffset(found[8], found[9], found[10], found[11])
  if (offset === undefined || !isZone(found[12])) return undefined
  const secondOfDay = hour * 3600 + minute * 60 + second - offset
  // Java overflows 64 bits silently.
  return BigInt.asIntN(64, (BigInt(days) * 86_400n + BigInt(secondOfDay)) * 1_000_000n + fractionMicros(found[7]))
}

export const printDate = (days: number): string => new Date(days * 86_400_000).toISOString().slice(0, 10)

/** Microseconds since 1970 as `2030-01-31T00:00:00.5Z`. */
export function printTimestamp(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19)
  const digits = String(fraction).padStart(6, '0').replace(/0+$/, '')
  return digits === '' ? `${seconds}Z` : `${seconds}.${digits}Z`
}

/** From the first three groups. */
function dayIn(found: RegExpExecArray | null): number | undefined {
  const [year = 0, month = 0, day = 0] = found?.slice(1, 4).map(Number) ?? []
  return Math.abs(year) > longestYear ? undefined : daysOf(year, month, day)
}

function isZone(name: string | undefined): boolean {
  if (name === undefined || name === 'Z') return true
  if (!/^[A-Z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** ISO_INSTANT of Java: seconds are required, and a fraction has up to nine digits. */
const instantPattern = new RegExp(String.raw`^${dayPattern}[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{0,9}))?${zonePattern}$`)

/** The range of `Instant` in Java, in seconds since 1970. */
const [firstSecond, lastSecond] = [-31_557_014_167_219_200n, 31_556_889_864_403_199n]

/**
 * Microseconds since 1970, rounded down; may be outside the years 1 to 9999. Undefined if invalid. Of times outside
 * Daml values (observed on 3.5.10); Daml values have another rule.
 */
export function parseInstant(text: string): bigint | undefined {
  const found = instantPattern.exec(text)
  if (!found) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number)
  const days = daysOf(year, month, day)
  const time = secondOfDay(hour, minute, second, /[1-9]/.test(found[7] ?? ''))
  const offset = zoneOffset(found[8], found[9], found[10], found[11])
  if (days === undefined || time === undefined || offset === undefined) return undefined
  const seconds = BigInt(days) * 86_400n + BigInt(time - offset)
  if (seconds < firstSecond || seconds > lastSecond) return undefined
  return seconds * 1_000_000n + fractionMicros(found[7])
}

/** 24:00:00 is the next day. The leap second is the second before it, on each day. */
function secondOfDay(hour: number, minute: number, second: number, hasFraction: boolean): number | undefined {
  if (hour === 24 && minute === 0 && second === 0 && !hasFraction) return 86_400
  if (hour === 23 && minute === 59 && second === 60) return 86_399
  return hour > 23 || minute > 59 || second > 59 ? undefined : hour * 3600 + minute * 60 + second
}

export const instant: Decoder<bigint> = (value, path, problems) => {
  if (typeof value !== 'string') {
    problems.add(`Got value '${excerpt(value, 200)}' with wrong type, expecting string`, path)
    return undefined
  }
  const micros = parseInstant(value)
  if (micros === undefined) problems.add(`Text '${excerpt(value, 60)}' could not be parsed at index 0`, path)
  return micros
}
