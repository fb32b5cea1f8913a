import type { ConnectionSettings } from './connection-settings.js'
import { countInterimAnswers } from './interim-answers.js'
import { openConnection } from './open-connection.js'

/** Milliseconds. */
const timeLimit = 30_000
const maxBytes = 1024 * 1024

/** Rejects with errors of undici, and an `Error` after the limits of time or size. */
export async function postForm(
  url: URL,
  form: URLSearchParams,
  headers: readonly [string, string][],
  settings: ConnectionSettings,
): Promise<{ status: number; text: string }> {
  // Headers and client certificate are for the target only.
  const { client: _, ...rest } = settings
  const connection = openConnection(url, { ...rest, headers: [] })
  const timer = setTimeout(
    () => void connection.destroy(new Error(`no answer within ${timeLimit / 1000} s`)),
    timeLimit,
  )
  try {
    const response = await connection.client.request({
      method: 'POST',
      path: connection.prefix + url.pathname + url.search,
      headers: [
        ...connection.headers,
        ...headers,
        ['content-type', 'application/x-www-form-urlencoded'],
        ['accept', 'application/json'],
      ].flat(),
      body: form.toString(),
      onInfo: countInterimAnswers(),
    })
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of response.body) {
      const bytes = Buffer.from(chunk)
      length += bytes.length
      if (length > maxBytes) throw new Error('the answer exceeds 1 MiB')
      chunks.push(bytes)
    }
    return { status: response.statusCode, text: Buffer.concat(chunks).toString('utf8') }
  } finally {
    clearTimeout(timer)
    await connection.destroy(new Error('the exchange is over'))
  }
}
