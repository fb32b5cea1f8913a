import { UndecodableParameter } from '../base/errors.js'

/** Undefined if absent. Throws `UndecodableParameter`. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const value = Number(text)
  if (/^[+-]?\d+$/.test(text) && Number.isSafeInteger(value)) return value
  throw new UndecodableParameter(`query parameter ${name}`)
}
