/** What is kept of bodies and headers that were seen: cleaned of secrets before anything is cut, so that no part of one remains. */
import type { RecordedBody, RecordedHeaders } from './recorded-parts.js'
import type { Redaction } from './redaction.js'

/** `limit` is in characters, or in bytes where the body is no UTF-8. */
export function recordBody(bytes: Buffer, redaction: Redaction, limit = Number.POSITIVE_INFINITY): RecordedBody {
  const text = decodeUtf8(bytes)
  const whole = redaction.clean(text ?? bytes.toString('latin1'))
  const kept = whole.length > limit ? whole.slice(0, limit).replace(/[\ud800-\udbff]$/, '') : whole
  const rest = { bytes: bytes.length, ...(kept.length < whole.length && { cut: true as const }) }
  return text === undefined
    ? { base64: Buffer.from(kept, 'latin1').toString('base64'), ...rest }
    : { text: kept, ...rest }
}

export const cleanHeaders = (headers: RecordedHeaders, redaction: Redaction): RecordedHeaders =>
  headers.map(([name, value]) => [name, redaction.clean(value)])

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
