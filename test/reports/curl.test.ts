/** Recorded requests as curl commands. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { Evidence } from '../../record/types/record.js'
import { curlCommand } from '../../reports/wording/curl.js'
import { hostile, sampleHeader } from '../support/records/sample-record.js'
import { sampleEvidence } from '../support/records/sample-row.js'

// Characters that no output may send to a terminal.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const poison = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\ufffe]/

interface Received {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: Buffer
}

t.test('a shell that runs the curl command sends the recorded bytes', async (t) => {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    received.push({ method, url, headers, body: Buffer.concat(await request.toArray()) })
    response.end()
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // an address object, as it listens on TCP

  async function send(request: Partial<Evidence['request']>): Promise<Received> {
    const command = curlCommand(
      sampleEvidence({ request: { method: 'POST', url: `${base}/v2/x`, headers: [], ...request } }),
    )
    t.notMatch(command, poison, 'the command has no control characters')
    const before = received.length
    const shell = spawn('sh', {
      env: { ...process.env, TOKEN: 'from-the-shell' },
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    shell.stdin.end(command)
    const [code] = await once(shell, 'exit')
    t.equal(code, 0, command.slice(0, 200))
    const [arrived] = received.slice(before)
    if (!arrived) throw new Error(`no request arrived from: ${command}`)
    return arrived
  }

  const texts = [
    '@/etc/passwd',
    Buffer.from(hostile).toString(),
    'a\'b"c`id`$(id)\\n\n\ttail\n',
    `"${'ü'.repeat(90_000)}"`,
    '',
    'a\u0000b\r\n',
  ]
  for (const text of texts) {
    const { body } = await send({ body: { text, bytes: Buffer.byteLength(text) } })
    t.equal(body.toString(), text)
  }
  const bytes = Buffer.from([0xff, 0x00, 0x27, 0x0a, 0xc3])
  t.same((await send({ body: { base64: bytes.toString('base64'), bytes: 5 } })).body, bytes)

  const { headers, url, method } = await send({
    method: 'PUT',
    url: `${base}/v2/./[a]/{b}/../c?q='`,
    headers: [
      ['authorization', 'bearer  [redacted]'],
      ['X-Empty', ''],
      ['X-Odd', "it's \u202e$HOME"],
      ['bad name', 'x'],
    ],
    body: { text: '{}', bytes: 2 },
  })
  t.match({ method, url }, { method: 'PUT', url: "/v2/./[a]/{b}/../c?q='" })
  t.match(headers, {
    authorization: 'bearer  from-the-shell',
    'x-empty': '',
    'content-type': undefined,
    'content-length': '2',
  })
  t.equal(Buffer.from(String(headers['x-odd']), 'latin1').toString(), "it's \u202e$HOME")
  t.match(await send({ headers: [['Authorization', '[redacted]']] }), {
    headers: { authorization: 'Bearer from-the-shell' },
  })
  t.match(await send({ headers: [['Authorization', 'Basic YTpi']] }), { headers: { authorization: 'Basic YTpi' } })
  t.match(await send({ method: 'HEAD', headers: [['Authorization', '']] }), {
    method: 'HEAD',
    headers: { authorization: '' },
  })
})

t.test('the connection of the run is part of a curl command, with variables for its files and values', (t) => {
  const connection = { ca: true as const, clientCertificate: true as const, headers: ['X-Key'] }
  const header = sampleHeader()
  const sender = { header: { ...header, target: { ...header.target, connection: connection } }, actor: 'alice' }
  const headers: [string, string][] = [
    ['x-key', '[redacted: header X-Key]'],
    ['accept', '*/*'],
  ]
  const evidence = sampleEvidence({ request: { method: 'GET', url: 'https://localhost:1/v2/version', headers } })
  const lines = `curl() { printf '%s\\n' "$@"; }\n${curlCommand(evidence, sender)}\n`
  const values = { CA: 'a b.pem', CLIENT_CERTIFICATE: 'c.pem', CLIENT_KEY: 'k.pem', HEADER_1: 'value' }
  const run = (env: NodeJS.ProcessEnv) => spawnSync('sh', [], { input: lines, env, encoding: 'utf8' })
  const words = run(values).stdout.split('\n')
  t.strictSame(words.slice(2, 8), ['--cacert', 'a b.pem', '--cert', 'c.pem', '--key', 'k.pem'])
  t.ok(words.includes('x-key: value'))
  t.ok(words.includes('accept: */*'))
  for (const name of Object.keys(values)) {
    const { stdout, stderr } = run({ ...values, [name]: '' })
    t.equal(stdout, '', 'the shell sends nothing')
    t.match(stderr, `${name}: set it to the`)
  }
  const insecure = {
    ...sender,
    header: { ...header, target: { ...header.target, connection: { insecure: true as const } } },
  }
  t.match(curlCommand(evidence, insecure), 'curl -sS -i --insecure -X GET')
  t.end()
})

t.test('a curl command names omitted parts, and never treats a URL as an option', async (t) => {
  const { request } = sampleEvidence()
  const body = { text: '{"a":', bytes: 900, cut: true as const }
  const command = curlCommand(
    sampleEvidence({ request: { ...request, url: '-o/tmp/x', headers: [['@file', 'x']], body } }),
  )
  t.match(
    command,
    /^# omitted: 1 header with an illegal name, which curl cannot send\n# incomplete: [^\n]* of the body of 900 bytes\n/,
  )
  t.match(command, '--url')
  t.notMatch(command, '@file')
})

t.test('a request that was not sent has no command', async (t) => {
  const problem = { code: 'refused' as const, message: 'not sent, because /v2/updates timed out once' }
  for (const url of ['/v2/updates', '']) {
    const { response: _, ...unanswered } = sampleEvidence({ request: { method: 'POST', url, headers: [] }, problem })
    t.match(curlCommand(unanswered), /^# The run did not send [^\n]*$/)
  }
  const sent = { method: 'POST', url: 'http://127.0.0.1:7575/v2/updates', headers: [] }
  t.match(curlCommand(sampleEvidence({ request: sent, problem })), /^curl /, 'a request without an answer')
})
