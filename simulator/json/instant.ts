import { excerpt } from '../../lib/json/json.js'
import { dayPattern, daysOf, fractionMicros, zoneOffset, zonePattern } from './calendar.js'
import type { Decoder } from './decode.js'

/** ISO_INSTANT of Java: seconds are required, and a fraction has up to nine digits. */
const pattern = new RegExp(String.raw`^${dayPattern}[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{0,9}))?${zonePattern}$`)

/** The range of `Instant` in Java, in seconds since 1970. */
const [firstSecond, lastSecond] = [-31_557_014_167_219_200n, 31_556_889_864_403_199n]

/**
 * Microseconds since 1970, rounded down; may be outside the years 1 to 9999. Undefined if invalid. Of times outside
 * Daml values (observed on 3.5.10); Daml values have another rule.
 */
export function parseInstant(text: string): bigint | undefined {
  const found = pattern.exec(text)
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
