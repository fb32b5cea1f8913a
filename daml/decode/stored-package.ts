import type { Package } from '../language/package.js'

/** A decoded package as JSON; `{ "$map": [[key, value]] }` is a map, `{ "$integer": "7" }` an integer of 64 bits. */
export const readStoredPackage = (json: string): Package =>
  JSON.parse(json, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value
    if ('$map' in value) return new Map(value.$map as [string, unknown][]) // as the form states
    if ('$integer' in value) return BigInt(String(value.$integer))
    return value
  }) as Package // a file of this program
