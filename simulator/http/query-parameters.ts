/** The part of a request target behind the question mark. */
import { UndecodableParameter } from '../base/errors.js'

/** An integer of the query, undefined where it is left out. Throws `UndecodableParameter`. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const value = Number(text)
  if (/^[+-]?\d+$/.test(text) && Number.isSafeInteger(value)) return value
  throw new UndecodableParameter(`query parameter ${name}`)
}
