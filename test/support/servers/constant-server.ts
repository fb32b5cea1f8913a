import { createServer } from 'node:http'
import type { Test } from 'tap'
import { listen } from './raw-target.js'

export interface ConstantAnswer {
  status: number
  body: object
}

const error = { code: 'INVALID_ARGUMENT', cause: 'rejected' }
export const constantAnswers: readonly ConstantAnswer[] = [
  { status: 400, body: error },
  { status: 404, body: error },
  { status: 500, body: error },
  { status: 200, body: {} },
]

export function constantServer(t: Pick<Test, 'teardown'>, { status, body }: ConstantAnswer): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  return listen(t, server)
}
