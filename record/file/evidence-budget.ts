import { createHash } from 'node:crypto'
import type { Evidence, RecordedBody, RunRow } from '../types/record.js'
import { mapTexts } from './map-texts.js'

const kib = 1024
const mib = 1024 * kib

/** Bytes kept of each body and row, by total size so far; they bound the memory of readers. */
const steps = [
  { upTo: 48 * mib, body: mib, row: 8 * mib },
  { upTo: 96 * mib, body: 16 * kib, row: 128 * kib },
  { upTo: Number.POSITIVE_INFINITY, body: 1 * kib, row: 8 * kib },
] as const

/** Bytes that each body keeps: Base64 of a kibibyte, and a character of UTF-8 may be cut. */
export const leastKept = (kib / 4) * 3

/** Longer values are omitted, and answers that contain them are cut. */
const longestVariable = mib
/** Characters. */
const longestText = 64 * kib

export class EvidenceBudget {
  #taken = 0

  fit(row: RunRow): RunRow {
    const step = steps.find(({ upTo }) => this.#taken < upTo) ?? steps[2]
    let left = step.row
    const evidence = row.evidence.map((one) => {
      const cut = withBodies(one, (body) => {
        const kept = cutBody(body, Math.max(kib, Math.min(step.body, left)))
        left -= lengthOf(kept)
        return kept
      })
      return cut
    })
    this.#taken += step.row - left
    const kept = Object.entries(row.variables ?? {}).filter(([, text]) => text.length <= longestVariable)
    return {
      ...row,
      ...(row.reason && { reason: mapTexts(row.reason, shortened) }),
      judgements: row.judgements.map((one) => ({
        ...one,
        wanted: one.wanted.map(shortened),
        found: one.found.map(shortened),
      })),
      evidence,
      ...(row.variables && { variables: Object.fromEntries(kept) }),
    }
  }
}

const shortened = (text: string): string =>
  text.length <= longestText
    ? text
    : `${text.slice(0, longestText)} … [cut: ${text.length - longestText} more characters]`

const lengthOf = ({ text, base64 = '' }: RecordedBody): number =>
  text === undefined ? base64.length : Buffer.byteLength(text)

/** With the bodies of request and response changed. */
export function withBodies(evidence: Evidence, change: (body: RecordedBody) => RecordedBody): Evidence {
  const { request, response } = evidence
  return {
    ...evidence,
    request: { ...request, ...(request.body && { body: change(request.body) }) },
    ...(response && { response: { ...response, body: change(response.body) } }),
  }
}

/** `limit`: bytes, or characters of Base64. A cut body states the digest of the whole, unless it was cut before. */
export function cutBody(body: RecordedBody, limit: number): RecordedBody {
  const { text, base64 } = body
  if (lengthOf(body) <= limit) return body
  const bytes = base64 === undefined ? Buffer.from(text ?? '', 'utf8') : Buffer.from(base64, 'base64')
  const whole = body.cut ? {} : { sha256: createHash('sha256').update(bytes).digest('hex') }
  const kept =
    base64 === undefined
      ? { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, limit), { stream: true }) }
      : { base64: base64.slice(0, limit - (limit % 4)) }
  return { ...body, ...kept, cut: true, ...whole }
}
