import { excerpt } from '../../lib/json/json.js'
import type { Decoder } from './decode.js'

const pattern =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?(?::?(\d\d))?)$/

/** Microseconds since 1970, rounded down; undefined if invalid. Only years of four digits (observed on 3.5.10). */
export function parseInstant(text: string): bigint | undefined {
  const found = pattern.exec(text)
  if (!found) return undefined
  const part = (index: number): number => Number(found[index] ?? '0')
  const date = new Date(0)
  date.setUTCFullYear(part(1), part(2) - 1, part(3))
  if (date.getUTCMonth() !== part(2) - 1 || date.getUTCDate() !== part(3)) return undefined
  if (part(4) > 23 || part(5) > 59 || part(6) > 59) return undefined
  const zone = (part(9) * 3600 + part(10) * 60 + part(11)) * (found[8] === '-' ? -1 : 1)
  if (Math.abs(zone) > 18 * 3600) return undefined
  const seconds = date.getTime() / 1000 + part(4) * 3600 + part(5) * 60 + part(6) - zone
  const micros = BigInt((found[7] ?? '').padEnd(6, '0').slice(0, 6))
  return BigInt(seconds) * 1_000_000n + micros
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
