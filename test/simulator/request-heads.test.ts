/** Heads of requests as bytes: the simulator answers as the recorded reference participant (test/recordings/README.md). */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { startSimulator } from '../../simulator/simulator.js'
import {
  objectIn,
  type SimulatorEnvironment,
  simulatorEnvironment,
  submitPath,
} from '../support/ledgers/simulator-environment.js'
import { objects } from '../support/suites/reading.js'

interface RecordedHead {
  id: string
  group: string
  /** Texts, repeated texts, a body with its length before it, a chunk, or bytes. */
  send: (string | { repeat: string; times: number } | { body: string } | { chunk: string } | { base64: string })[]
  answers: { status: number; type?: string; code?: string }[]
  closed: boolean
}

const recorded = JSON.parse(
  readFileSync(new URL('../../../test/recordings/request-heads.json', import.meta.url), 'utf8'),
) as RecordedHead[] // data of this repository

/** Differences of the simulator (docs/simulator-differences.md). */
const differing: Readonly<Record<string, readonly string[]>> = {
  'rejects names of other hosts': ['host-other', 'host-underscore'],
  'cannot see empty lines before a request, nor a second space after the target': [
    ...['v-crlf-before', 'v-two-crlf-before', 'v-two-spaces-later', 'extra-after-body'],
  ],
  'waits for the end of chunks whose lines end with a bare line feed': ['te-lf-only'],
  'rejects other spellings that RFC 9112 forbids': ['form-authority', 'cl-twice-equal'],
  'rejects bytes behind a request at once': ['cl-empty', 'cl-short', 'extra-garbage'],
  'reads a body above the limit to its end': ['cl-8-mebibytes-and-one'],
  'closes the connection after an answer without the interim 100': ['expect-100'],
}

async function createContract({ wire, submission, alice }: SimulatorEnvironment): Promise<string> {
  const { updateId } = objectIn(await wire.post(submitPath, submission()))
  const wildcard = { identifierFilter: { WildcardFilter: { value: {} } } }
  const eventFormat = { filtersByParty: { [alice]: { cumulative: [wildcard] } }, verbose: false }
  const transactionFormat = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' }
  const found = await wire.post('/v2/updates/transaction-by-id', { updateId, transactionFormat })
  const [id] = JSON.stringify(objects([objectIn(found)])).match(/(?<="contractId":")[0-9a-f]+/) ?? []
  if (id === undefined) throw new Error(`no contract in ${found.text}`)
  return id
}

const bytesOf = (send: RecordedHead['send'], filled: (text: string) => string): Buffer =>
  Buffer.concat(
    send.map((part) => {
      if (typeof part === 'string') return Buffer.from(filled(part), 'utf8')
      if ('repeat' in part) return Buffer.from(part.repeat.repeat(part.times))
      if ('base64' in part) return Buffer.from(part.base64, 'base64')
      if ('chunk' in part) return chunkOf(Buffer.from(filled(part.chunk)))
      const body = Buffer.from(filled(part.body))
      return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body])
    }),
  )

const chunkOf = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

interface Received {
  status: number
  type?: string
  code?: string
  closes: boolean
}

/** Complete answers. */
function answersIn(bytes: string): Received[] {
  const found: Received[] = []
  for (let rest = bytes; ; ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) return found
    const head = rest.slice(0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    const body = rest.slice(end + 4, end + 4 + length)
    if (body.length < length) return found
    const type = /\r\ncontent-type: ([^;\r]+)/i.exec(head)?.[1]
    const code = /^\{"code":"([A-Z_]+)"/.exec(body)?.[1]
    const status = Number(head.slice(9, 12))
    found.push({ status, ...(type && { type }), ...(code && { code }), closes: /\r\nconnection: close/i.test(head) })
    rest = rest.slice(end + 4 + length)
  }
}

/** Resolves with the expected number of answers, or with all when the connection ends. */
const exchange = (port: number, bytes: Buffer, count: number): Promise<Received[]> =>
  new Promise((resolve) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const done = (): void => {
      socket.destroy()
      resolve(answersIn(received))
    }
    socket.on('data', (part) => {
      received += part.toString('latin1')
      if (answersIn(received).length >= count) done()
    })
    socket.on('error', done)
    socket.on('end', done)
  })

t.test('answers each recorded head like the reference participant', async (t) => {
  const environment = await simulatorEnvironment(t)
  const contract = await createContract(environment)
  const { host, port } = new URL(environment.url)
  const values: Readonly<Record<string, string>> = { host, contract }
  const filled = (text: string): string => text.replace(/\$\{(\w+)\}/g, (place, name: string) => values[name] ?? place)
  const exempt = new Set(Object.values(differing).flat())
  t.equal(recorded.length, 268)
  t.strictSame(
    [...exempt].filter((id) => !recorded.some((row) => row.id === id)),
    [],
    'each difference is recorded',
  )
  for (const { id, group, send, answers, closed } of recorded) {
    if (exempt.has(id)) continue
    const found = await exchange(Number(port), bytesOf(send, filled), answers.length)
    const expected = answers.map((answer, index) => ({ ...answer, closes: closed && index === answers.length - 1 }))
    t.strictSame(found, expected, `${group}: ${id}`)
  }
})

t.test('a blank before the colon is rejected by every behaviour', async (t) => {
  for (const behaviour of ['canton-3.5', 'interface'] as const) {
    const simulator = await startSimulator({ behaviour })
    t.teardown(() => simulator.close())
    const { host, port } = new URL(simulator.url)
    for (const [name, rest] of [
      ['Transfer-Encoding', 'chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n'],
      ['Content-Length', '2\r\n\r\n{}'],
      ['Content-Type', 'application/json\r\n\r\n'],
    ]) {
      const bytes = Buffer.from(`GET /v2/version HTTP/1.1\r\nHost: ${host}\r\n${name} : ${rest}`)
      t.match(await exchange(Number(port), bytes, 1), [{ status: 400 }], `${behaviour}: ${name}`)
    }
  }
})

t.test('a head that is refused has no effect', async (t) => {
  const environment = await simulatorEnvironment(t)
  const before = await environment.ledgerEnd()
  const statusWith = async (length: number): Promise<number> => {
    const headers = { 'x-long': 'x'.repeat(length) }
    return (await environment.wire.post(submitPath, environment.submission(), headers)).status
  }
  t.equal(await statusWith(8193), 431)
  t.equal(await environment.ledgerEnd(), before)
  t.equal(await statusWith(8192), 200)
})

/** Sends `rest` after the server has closed its side. Resolves with the error of the connection. */
const sendAfterClose = (port: number, head: string, rest: readonly string[]): Promise<Error | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(head))
    let failure: Error | undefined
    const sendRest = async (): Promise<void> => {
      for (const part of rest) {
        socket.write(part)
        await turn()
      }
      socket.end()
    }
    socket.on('end', () => void sendRest())
    socket.on('error', (error) => {
      failure = error
    })
    socket.on('close', () => resolve(failure))
    socket.resume()
  })

t.test('a client may send the body of a refused request, and loses no answer', async (t) => {
  const simulator = await startSimulator()
  t.teardown(() => simulator.close())
  const { host, port } = new URL(simulator.url)
  const encoding = 'Transfer-Encoding: chunked\r\n'
  const head = `POST ${submitPath} HTTP/1.1\r\nHost: ${host}\r\n${encoding}${encoding}\r\n`
  const rest = [...Array.from({ length: 20 }, () => '2\r\n{}\r\n'), '0\r\n\r\n']
  t.equal(await sendAfterClose(Number(port), head, rest), undefined)
})
