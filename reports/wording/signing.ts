import { encode } from 'uqr'
import type { RunRecord } from '../../record/types/record.js'

/** What the signer's page has beyond the run. */
export interface Signing {
  name?: string
  issued?: string
  /** Of the record, by its footer; empty where it has none. */
  digest: string
  /** The digest as a QR code: a square of so many units, and its dark ones as the path of an SVG. */
  code: { size: number; path: string }
}

/** `signer`: who signs by key; without one the page has room for a name. */
export function signingOf({ footer }: RunRecord, signer: { name: string; issued: string } | undefined): Signing {
  const digest = footer?.digest ?? ''
  const { size, data } = encode(`sha256:${digest}`, { ecc: 'M', border: 2 })
  const path = data.flatMap((line, y) => line.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return { ...signer, digest, code: { size, path } }
}
