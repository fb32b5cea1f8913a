/** Repeats secrets of each request in status lines, headers, bodies and error texts. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import { type RepeatedSecrets, repeatedSecrets } from '../records/repeated-secrets.js'
import { listen } from './raw-target.js'

interface Answer {
  status: number
  reason: string
  headers: [name: string, value: string][]
  body: Buffer | string
}

const inLine = (text: string): string => text.replace(/[\r\n]/g, '')
const isName = (text: string): boolean => /^[!#$%&'*+.^`|~\w-]+$/.test(text)
const json: [string, string] = ['content-type', 'application/json']
const withHeader = (answer: Answer, name: string, value: string): Answer => ({
  ...answer,
  headers: [...answer.headers, [name, value]],
})

/** Leaves other values unchanged. */
function withMembers(answer: Answer, members: object): Answer {
  const [first, rest] = [answer.body.toString().slice(0, 1), answer.body.toString().slice(1)]
  if (first !== '{') return answer
  const own = JSON.stringify(members).slice(0, -1)
  return { ...answer, body: /^\s*\}/.test(rest) ? `${own}}` : `${own},${rest}` }
}

/** `say` returns the next secret in the next encoding. */
export const places: Readonly<Record<string, (answer: Answer, say: () => string) => Answer>> = {
  'the status line': (answer, say) => ({ ...answer, reason: inLine(say()) }),
  'a header name': (answer, say) => {
    const said = inLine(say())
    return isName(said) ? withHeader(answer, said, '1') : withHeader(answer, 'x-other', said)
  },
  'a broken header name': (answer, say) => withHeader(answer, inLine(say()), '1'),
  'a header value': (answer, say) => withHeader(answer, 'x-repeated', inLine(say())),
  'a member': (answer, say) => withMembers(answer, { repeated: say(), more: [say(), { [say()]: say() }] }),
  'a value': (answer, say) => {
    const found = /^(\s*\{\s*"\w+"\s*:\s*)"[^"]*"/.exec(answer.body.toString())
    if (!found) return answer
    return { ...answer, body: `${found[1]}${JSON.stringify(say())}${answer.body.toString().slice(found[0].length)}` }
  },
  'an error': (answer, say) => ({
    ...answer,
    status: 400,
    headers: [json],
    body: JSON.stringify({
      code: say(),
      cause: say(),
      context: { [say()]: say() },
      errorCategory: 8,
      grpcCodeValue: 3,
    }),
  }),
  'a rejection': (answer, say) => ({
    ...answer,
    status: 403,
    headers: [json],
    body: `{"code":"X","cause":"${say()}"} ${say()}`,
  }),
  'a page': (answer, say) => ({
    ...answer,
    status: 500,
    headers: [['content-type', 'text/html']],
    body: `<html><title>${say()}</title><p>${say()}</p></html>`,
  }),
  'a redirect': (answer, say) =>
    withHeader({ ...answer, status: 302 }, 'location', `https://a.example/?${inLine(say())}`),
  'a broken body': (answer, say) => ({ ...answer, headers: [json], body: `{"said": "${say()}", "next": ${say()}` }),
}

export interface EchoingTarget {
  url: string
  secrets: RepeatedSecrets
}

/** `planted`: secrets outside the requests. `isAltered` receives a path. */
export async function echoingTarget(
  t: Pick<Test, 'teardown'>,
  url: string,
  place: (answer: Answer, say: () => string) => Answer,
  isAltered: (path: string) => boolean,
  planted: readonly string[],
): Promise<EchoingTarget> {
  const secrets = repeatedSecrets()
  const answer = async (incoming: IncomingMessage): Promise<void> => {
    const { method, headers, url: path = '/', socket } = incoming
    const forward = request(new URL(path, url), { method, headers: { ...headers, connection: 'close' } })
    forward.end(await buffer(incoming))
    const [found] = (await once(forward, 'response')) as [IncomingMessage] // the arguments of the event
    const type = found.headers['content-type']
    const own: Answer = {
      status: found.statusCode ?? 500,
      reason: 'Fine',
      headers: type === undefined ? [] : [['content-type', type]],
      body: await buffer(found),
    }
    const known = [...planted, ...sentIn(incoming)]
    let next = 0
    const say = (): string => {
      next += 1
      return secrets.repeat(known[next % known.length] ?? '')
    }
    const sent = isAltered(path) ? place(own, say) : own
    const lines = [...sent.headers, ['content-length', String(Buffer.byteLength(sent.body))], ['connection', 'close']]
    const head = `HTTP/1.1 ${sent.status} ${sent.reason}\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n`
    socket.end(Buffer.concat([Buffer.from(head, 'utf8'), Buffer.from(sent.body)]))
  }
  const server = createServer((incoming) => void answer(incoming).catch(() => incoming.destroy()))
  return { url: await listen(t, server), secrets }
}

function sentIn({ headers }: IncomingMessage): string[] {
  const [, token, signature] = /^Bearer +([^.]+\.[^.]+\.([^.]{16,}))$/i.exec(headers.authorization ?? '') ?? []
  return [token, signature, headers['x-api-key']].filter((one): one is string => typeof one === 'string' && one !== '')
}
