/** The reference 3.5.10 uses ISO_LOCAL_DATE and ISO_DATE_TIME of Java. */
import { dayPattern, daysOf, fractionMicros, zoneOffset, zonePattern } from './calendar.js'

const time = String.raw`(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{0,9}))?)?`

const datePattern = new RegExp(`^${dayPattern}$`)
const timestampPattern = new RegExp(String.raw`^${dayPattern}[Tt]${time}${zonePattern}(?:\[([^\]]+)\])?$`)

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
