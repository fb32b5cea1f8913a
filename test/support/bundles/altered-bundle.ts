/** `verify` rejects each altered byte, or reports that it has no effect. */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleFiles, certificateName } from '../../../certificate/bundle.js'
import { type VerifyOptions, verifyBundle } from '../../../certificate/verify/verify-bundle.js'
import type { RunRecord } from '../../../record/types/record.js'

export interface AlteredPlaces {
  refused: number
  /** Reported as without effect. */
  noted: number
  /** `FILE byte N: VALUE to VALUE`. */
  missed: string[]
}

/** Restores each byte. `draw` returns an integer below a limit. */
export async function alterPlaces(
  folder: string,
  places: number,
  draw: (below: number) => number,
  options: VerifyOptions,
): Promise<AlteredPlaces> {
  const names = [...(await bundleFiles(folder)), certificateName]
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  const found: AlteredPlaces = { refused: 0, noted: 0, missed: [] }
  for (let index = 0; index < places; index += 1) {
    // Every fourth alteration is in the certificate.
    const at = index % 4 === 0 ? names.length - 1 : placeIn(sizes, draw)
    const [name = '', size = 1] = [names[at], sizes[at]]
    const path = join(folder, name)
    const before = await readFile(path)
    const byte = draw(size)
    const value = (before[byte] ?? 0) ^ (1 + draw(255))
    await writeFile(path, before.with(byte, value))
    const kinds = new Set((await verifyBundle(folder, options)).findings.map(({ kind }) => kind))
    await writeFile(path, before)
    if (kinds.has('altered')) found.refused += 1
    else if (kinds.has('noted')) found.noted += 1
    else found.missed.push(`${name} byte ${byte}: ${before[byte]} to ${value}`)
  }
  return found
}

/** Proportional to the size. */
function placeIn(sizes: readonly number[], draw: (below: number) => number): number {
  let left = draw(sizes.reduce((sum, size) => sum + size, 0))
  return Math.max(
    0,
    sizes.findIndex((size) => {
      left -= size
      return left < 0
    }),
  )
}

/** Failed rows become passes. */
export function withoutFailures(record: RunRecord): RunRecord {
  const rows = record.rows.map(({ reason, ...row }) =>
    reason === undefined
      ? row
      : {
          ...row,
          verdict: 'pass' as const,
          judgements: row.judgements.map((one) => ({ ...one, found: one.wanted, met: true })),
        },
  )
  return { ...record, rows }
}

export const wrongClaims: ((claims: Record<string, unknown>) => unknown)[] = [
  () => ({}),
  () => [],
  () => null,
  ({ target: _, ...claims }) => claims,
  (claims) => ({ ...claims, run: null }),
  (claims) => ({ ...claims, profile: null }),
  (claims) => ({ ...claims, conclusion: { toString: null } }),
  (claims) => ({ ...claims, planned: 'all' }),
]
