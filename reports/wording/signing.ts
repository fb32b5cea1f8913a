import { encode } from 'uqr'
import type { RunRecord } from '../../record/types/record.js'

export interface Signing {
  name?: string
  issued?: string
  /** Record digest; empty without a footer. */
  digest: string
  /** A QR code: width in units, and dark units as an SVG path. */
  code: { size: number; path: string }
}

export function signingOf({ footer }: RunRecord, signer: { name: string; issued: string } | undefined): Signing {
  const digest = footer?.digest ?? ''
  const { size, data } = encode(`sha256:${digest}`, { ecc: 'M', border: 2 })
  const path = data.flatMap((line, y) => line.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return { ...signer, digest, code: { size, path } }
}
