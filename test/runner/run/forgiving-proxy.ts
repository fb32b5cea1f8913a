/** A participant whose hash does not cover one field: whatever is put there, it takes for what was prepared. */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { isJsonObject, parseJson, printJson } from '../../../lib/json/json.js'
import { alter } from '../../../runner/sign/alter.js'
import { listen } from '../../support/servers/raw-target.js'

/** Stands before the participant at `url` and puts back what was altered in that field alone. Returns its own URL. */
export function forgivingProxy(t: Test, url: string, field: string): Promise<string> {
  const prepared = new Map<string, string>()
  const uncovered = (bytes: string): string => alter(bytes, { 'remove-all': { [field]: true } }) ?? bytes
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      const { method = '', url: path = '', headers } = request
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': headers['content-type'] ?? 'application/json', accept: headers.accept ?? '*/*' },
        ...(body !== '' && { body: path.includes('/execute') ? asPrepared(body) : body }),
      })
      const told = await answer.text()
      if (path.endsWith('/prepare')) remember(told)
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
      response.end(told)
    })()
  })

  function remember(told: string): void {
    const answer = parseJson(told)
    const bytes = isJsonObject(answer) ? answer['preparedTransaction'] : undefined
    if (typeof bytes === 'string') prepared.set(uncovered(bytes), bytes)
  }

  function asPrepared(body: string): string {
    const asked = parseJson(body)
    if (!isJsonObject(asked) || typeof asked['preparedTransaction'] !== 'string') return body
    const original = prepared.get(uncovered(asked['preparedTransaction']))
    return printJson({ ...asked, ...(original !== undefined && { preparedTransaction: original }) })
  }

  return listen(t, server)
}
