import type { ConnectionSettings } from './connection-settings.js'
import { countInterimAnswers } from './interim-answers.js'
import { openConnection } from './open-connection.js'

/** Milliseconds; a token server that takes longer is of no use to a run. */
const longest = 30_000
const maxAnswerBytes = 1024 * 1024

/** Sends a form, and gives what came back. Rejects with what undici throws, and with an `Error` after 30 s. */
export async function postForm(
  url: URL,
  form: URLSearchParams,
  headers: readonly [string, string][],
  settings: ConnectionSettings,
): Promise<{ status: number; text: string }> {
  // What is sent to the target is not for others: neither its headers, nor who we are to it.
  const { client: _, ...rest } = settings
  const connection = openConnection(url, { ...rest, headers: [] })
  const timer = setTimeout(() => void connection.destroy(new Error('no answer within 30 s')), longest)
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
      if (length > maxAnswerBytes) throw new Error('the answer is too long')
      chunks.push(bytes)
    }
    return { status: response.statusCode, text: Buffer.concat(chunks).toString('utf8') }
  } finally {
    clearTimeout(timer)
    await connection.destroy(new Error('the exchange is over'))
  }
}
