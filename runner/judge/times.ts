/** Points in time as texts. */
import type { JsonValue } from '../../interface/json.js'

const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/
const instantForm = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d+))?(?:[Zz]|([+-])(\d\d):?(\d\d))$/

/** As the reference writes them: in UTC, with `Z`. */
export function isTimestamp(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && timestampForm.test(value) && nanosOf(value) !== undefined
}

/** Nanoseconds since 1970 of a text as RFC 3339 has them, with an offset or `Z`; undefined where it is none. */
function nanosOf(text: string): bigint | undefined {
  const [, date = '', time = '', fraction = '', sign = '', hours = '0', minutes = '0'] = instantForm.exec(text) ?? []
  const seconds = `${date}T${time}`
  const milliseconds = Date.parse(`${seconds}Z`)
  // The 30th of February would become a day in March.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(seconds)) return undefined
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  const nanos = fraction.padEnd(9, '0').slice(0, 9)
  return (BigInt(milliseconds) - BigInt(offset) * 60_000n) * 1_000_000n + BigInt(nanos)
}

/** Compares two texts as far as both are points in time: below, at or above 0; undefined where one of them is none. */
export function compareTimes(left: string, right: string): number | undefined {
  const [one, other] = [nanosOf(left), nanosOf(right)]
  if (one === undefined || other === undefined) return undefined
  return one < other ? -1 : one > other ? 1 : 0
}
