import type { Redaction } from '../lib/redaction/redaction.js'
import type { RecordedBody, RecordedHeaders } from './recorded-parts.js'

/** Unredacted. */
export function recordedBody(bytes: Buffer): RecordedBody {
  const text = decodeUtf8(bytes)
  return { ...(text === undefined ? { base64: bytes.toString('base64') } : { text }), bytes: bytes.length }
}

/** Redacts before it cuts, so no part of a secret remains. `limit`: characters, or bytes of a body that is not UTF-8. */
export function cleanBody(body: RecordedBody, redaction: Redaction, limit = Number.POSITIVE_INFINITY): RecordedBody {
  const { text, base64, ...rest } = body
  const whole = redaction.clean(text ?? Buffer.from(base64 ?? '', 'base64').toString('latin1'))
  const kept = whole.length > limit ? whole.slice(0, limit).replace(/[\ud800-\udbff]$/, '') : whole
  const cut = kept.length < whole.length && { cut: true as const }
  return text === undefined
    ? { base64: Buffer.from(kept, 'latin1').toString('base64'), ...rest, ...cut }
    : // A copy: V8 keeps the whole text of a slice in memory.
      { text: cut ? Buffer.from(kept).toString() : kept, ...rest, ...cut }
}

export const cleanHeaders = (headers: RecordedHeaders, redaction: Redaction): RecordedHeaders =>
  headers.map(([name, value]) => {
    const clean: RecordedHeaders[number] = [redaction.clean(name), redaction.clean(value)]
    // A secret with a colon can span name and value.
    const line = clean.join(':')
    const cleanLine = redaction.clean(line)
    return cleanLine === line ? clean : [cleanLine, '']
  })

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
