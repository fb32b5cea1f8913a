/** A fetch for key sets that somebody else publishes: what comes is read with limits, whoever answers. */
import type { FetchImplementation } from 'jose'

/** Bytes of a key set; the longest of public providers have a tenth of it. */
const longest = 256 * 1024
const mostKeys = 100

/** Rejects with an `Error` that says which limit was passed. Redirects are not followed: they could lead anywhere. */
export const boundedFetch: FetchImplementation = async (url, options) => {
  const response = await fetch(url, { ...options, redirect: 'manual' })
  const bytes = await readBounded(response)
  const text = bytes.toString('utf8')
  if (response.ok) refuseTooMany(text)
  return new Response(response.status === 204 || response.status === 304 ? null : text, {
    status: response.status === 0 ? 502 : response.status,
  })
}

async function readBounded({ body }: Response): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  // A body that is left early is cancelled, so that whoever sends it has to stop.
  for await (const part of body ?? []) {
    length += part.byteLength
    if (length > longest) throw new Error(`the key set has more than ${longest} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function refuseTooMany(text: string): void {
  let found: unknown
  try {
    found = JSON.parse(text)
  } catch {
    return // who asked for it says what is wrong with it
  }
  const keys = found instanceof Object && 'keys' in found ? found.keys : undefined
  if (Array.isArray(keys) && keys.length > mostKeys) throw new Error(`the key set has more than ${mostKeys} keys`)
}
