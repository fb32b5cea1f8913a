import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { isJsonObject, parseJson, printJson } from '../../../lib/json/json.js'
import { alter } from '../../../runner/sign/alter.js'
import { listen } from '../../support/servers/raw-target.js'

/** A proxy that restores the prepared value if only this field is altered. Returns its URL. */
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
      const answered = await answer.text()
      if (path.endsWith('/prepare')) remember(answered)
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' })
      response.end(answered)
    })()
  })

  function remember(prepareAnswer: string): void {
    const answer = parseJson(prepareAnswer)
    const bytes = isJsonObject(answer) ? answer['preparedTransaction'] : undefined
    if (typeof bytes === 'string') prepared.set(uncovered(bytes), bytes)
  }

  function asPrepared(body: string): string {
    const request = parseJson(body)
    if (!isJsonObject(request) || typeof request['preparedTransaction'] !== 'string') return body
    const original = prepared.get(uncovered(request['preparedTransaction']))
    return printJson({ ...request, ...(original !== undefined && { preparedTransaction: original }) })
  }

  return listen(t, server)
}
