/** The reference 3.5.10 uses ISO_LOCAL_DATE and ISO_DATE_TIME of Java. */

/** Four digits, or more with a sign; no negative zero. */
const year = String.raw`(\d{4}|\+\d{5,10}|-(?!0+-)\d{4,10})`
const day = String.raw`${year}-(\d\d)-(\d\d)`
const time = String.raw`(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{0,9}))?)?`
const zone = String.raw`(?:[Zz]|([+-])(\d\d):(\d\d)(?::(\d\d))?)(?:\[([^\]]+)\])?`

const datePattern = new RegExp(`^${day}$`)
const timestampPattern = new RegExp(`^${day}[Tt]${time}${zone}$`)

const longestYear = 999_999_999
const longestOffset = 18 * 3600

/** Days since 1970-01-01, truncated to 32 bits as in Java. Undefined if invalid. */
export function parseDate(text: string): number | undefined {
  const days = daysOf(datePattern.exec(text))
  return days === undefined ? undefined : days | 0
}

/** Microseconds since 1970, rounded down. Undefined if invalid. */
export function parseTimestamp(text: string): bigint | undefined {
  const found = timestampPattern.exec(text)
  const days = daysOf(found)
  if (!found || days === undefined) return undefined
  const part = (index: number): number => Number(found[index] ?? '0')
  const [hour, minute, second] = [part(4), part(5), part(6)]
  if (hour > 23 || minute > 59 || second > 59) return undefined
  if (part(9) > 23 || part(10) > 59 || part(11) > 59) return undefined
  const offset = part(9) * 3600 + part(10) * 60 + part(11)
  if (offset > longestOffset || !isZone(found[12])) return undefined
  const secondOfDay = hour * 3600 + minute * 60 + second - (found[8] === '-' ? -offset : offset)
  const micros = BigInt((found[7] ?? '').padEnd(6, '0').slice(0, 6))
  // Java overflows 64 bits silently.
  return BigInt.asIntN(64, (BigInt(days) * 86_400n + BigInt(secondOfDay)) * 1_000_000n + micros)
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
function daysOf(found: RegExpExecArray | null): number | undefined {
  if (!found) return undefined
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])]
  if (Math.abs(year) > longestYear || month < 1 || month > 12 || day < 1 || day > lengthOf(month, year))
    return undefined
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
