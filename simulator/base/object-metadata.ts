import type { LedgerError } from './errors.js'

/** Of users and parties. */
export interface ObjectMetadata {
  annotations: Readonly<Record<string, string>>
  /** Number of updates. */
  version: number
}

export const newMetadata: ObjectMetadata = { annotations: {}, version: 0 }

export interface MetadataChange {
  /** Other keys are unchanged; an empty value removes its key. */
  annotations: Readonly<Record<string, string>>
  /** Undefined: any version. */
  expectedVersion: bigint | undefined
}

/** Bytes of all keys and values in UTF-8. */
export const largestAnnotations = 256 * 1024

export const sizeOfAnnotations = (annotations: Readonly<Record<string, string>>): number =>
  Object.entries(annotations).reduce(
    (size, [key, value]) => size + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )

interface Refusals {
  concurrent(): LedgerError
  tooLarge(): LedgerError
}

/** Each update raises the version, even without a difference (observed on 3.5.10). Throws one of `refusals`. */
export function updatedMetadata(
  { annotations, version }: ObjectMetadata,
  change: MetadataChange,
  refusals: Refusals,
): ObjectMetadata {
  if (change.expectedVersion !== undefined && change.expectedVersion !== BigInt(version)) throw refusals.concurrent()
  const merged = Object.entries({ ...annotations, ...change.annotations }).filter(([, value]) => value !== '')
  const updated = { annotations: Object.fromEntries(merged), version: version + 1 }
  if (sizeOfAnnotations(updated.annotations) > largestAnnotations) throw refusals.tooLarge()
  return updated
}
