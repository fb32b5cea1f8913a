/** Runs against a target that repeats secrets leave none in files or the journal. */
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { readRecord } from '../../record/file/read-record.js'
import { startSimulator } from '../../simulator/simulator.js'
import { callRun } from '../support/processes/called-command.js'
import { encodings, inHeader } from '../support/records/secret-encodings.js'
import { unpackReport } from '../support/records/unpack-report.js'
import { listen } from '../support/servers/raw-target.js'

const secret = 'planted-client-secret-5c1f'
const repeated = Object.entries(encodings)
const under = '/v2/contracts/contract-by-id'

/**
 * Forwards requests to a simulator, and repeats secrets in answers to rejected lookups. `planted`: the repeated
 * strings.
 */
async function repeatingTarget(
  t: Test,
  url: string,
): Promise<{ url: string; planted: Set<string>; used: Set<string> }> {
  const [planted, used] = [new Set<string>(), new Set<string>()]
  let count = 0
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming)
    const isOwn = incoming.url === under
    const [name, encode] = repeated[count % repeated.length] ?? ['', String]
    if (isOwn) count += 1
    const token = (incoming.headers.authorization ?? '').replace(/^Bearer /, '')
    const signature = /^[^.]+\.[^.]+\.([^.]+)$/.exec(token)?.[1]
    const encoded = [secret, ...(signature === undefined ? [] : [token, signature])].map((text) => encode(text))
    const said = encoded.join(' and ')
    if (isOwn) {
      used.add(name)
      for (const text of encoded) planted.add(text)
    }
    const headers = { ...incoming.headers, 'x-note': inHeader(isOwn ? said.replace(encode(secret), '') : '') }
    const path = isOwn ? `${under}?note=${encodeURIComponent(encoded[1] ?? '')}` : incoming.url
    const forward = request(new URL(path ?? '/', url), { method: incoming.method, headers })
    forward.end(body)
    const [forwarded] = (await once(forward, 'response')) as [IncomingMessage] // the arguments of the event
    const answered = await buffer(forwarded)
    const status = forwarded.statusCode ?? 500
    // Rows of an operation with a rejected control are not sent.
    if (!isOwn || status < 400) {
      outgoing.writeHead(status, forwarded.headers).end(answered)
      return
    }
    outgoing.writeHead(400, { 'content-type': 'application/json', 'x-said': inHeader(said) })
    outgoing.end(
      count % 2 === 0 ? JSON.stringify({ code: said, cause: [said] }) : `{"code": "X", "cause": "${said}"} ${said}`,
    )
  }
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing).catch(() => outgoing.destroy()))
  return { url: await listen(t, server), planted, used }
}

/** Including strings of JSON lines. */
function textsIn(text: string): string[] {
  const found = [text]
  for (const line of text.split('\n')) {
    try {
      JSON.parse(line, (_, value: unknown) => {
        if (typeof value === 'string') found.push(value)
        return value
      })
    } catch {
      // Not JSON lines.
    }
  }
  return found
}

t.test('a secret repeated in every encoding is in no file and no journal of the run', async (t) => {
  const simulator = await startSimulator({ authorization: `hs256:${secret}`, control: true })
  t.teardown(() => simulator.close())
  const target = await repeatingTarget(t, simulator.url)
  const out = t.testdir()
  const { stdout, stderr } = await callRun(t, {
    out,
    target: target.url,
    authorization: `hs256:${secret}`,
    only: ['CBI-PARTY-FORM*', 'CBI-TYPES*', 'CBI-CONTRACT-ID-FORM*', 'CBI-BODY*'],
  })
  t.equal(target.used.size, repeated.length, `all encodings were used; ${stderr}`)
  const texts = new Map([['the console', stdout + stderr]])
  for (const file of await readdir(join(out, 'latest')))
    texts.set(file, await readFile(join(out, 'latest', file), 'utf8'))
  texts.set('the data of the page', unpackReport(texts.get('report.html') ?? '').data.join('\n'))
  const journal = await fetch(`${simulator.url}/control/journal?last=1000`)
  texts.set('the journal', await journal.text())
  t.ok(texts.size > 5)
  for (const [name, text] of texts) {
    const all = textsIn(text).join('\n')
    const left = [...target.planted].filter((planted) => all.includes(planted))
    t.strictSame(left, [], name)
  }
  const { rows, defects } = await readRecord(join(out, 'latest', 'run.ndjson.br'))
  t.strictSame(defects, [])
  const bodies = rows.flatMap(({ evidence }) => evidence.flatMap(({ response }) => response?.body.text ?? []))
  t.ok(bodies.filter((body) => body.includes('[redacted: signing secret]')).length >= repeated.length)
  t.match(texts.get('the journal'), '[redacted: authorization]')
})

t.test('a secret that is an ordinary word is hidden, and no verdict changes', async (t) => {
  const out = t.testdir()
  const { code, stdout } = await callRun(t, {
    out,
    authorization: 'hs256:participant',
    only: ['CBI-VISIBILITY*', 'CBI-UNKNOWN*'],
  })
  t.equal(code, 0, stdout)
  const { header, rows, defects } = await readRecord(join(out, 'latest', 'run.ndjson.br'))
  t.strictSame(defects, [])
  t.ok(rows.length > 10 && header.plan.length === rows.length)
  const evidence = JSON.stringify(rows.flatMap((row) => row.evidence)).replaceAll(/\[redacted: [^\]]*\]/g, '')
  t.notMatch(evidence, /(?<![\w\u0080-\uffff])participant(?![\w\u0080-\uffff])/)
})
