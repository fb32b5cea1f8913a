/** Redaction of recorded rows: the judge receives unchanged evidence. */
import t from 'tap'
import { Redaction } from '../../lib/redaction/redaction.js'
import { cleanRow } from '../../record/file/clean-record.js'
import type { Evidence } from '../../record/types/record.js'
import { answerOf } from '../../runner/judge/answer.js'
import { createTransport } from '../../runner/transport/transport.js'
import { sampleEvidence, sampleRow } from '../support/records/sample-row.js'
import { answering, rawTarget } from '../support/servers/raw-target.js'

const secret = 'planted "secret" / \u00fc???>>>'
const mebibyte = 1024 * 1024
const label = { step: 0, role: 'act' } as const

const knowing = (known: string): Redaction => {
  const redaction = new Redaction()
  redaction.register(known, 'the planted secret')
  return redaction
}

function recordedOf(evidence: Evidence, redaction: Redaction): Evidence {
  const [recorded] = cleanRow(sampleRow('CASE/row', { evidence: [evidence] }), redaction).evidence
  if (!recorded) throw new Error('the row has one exchange')
  return recorded
}

t.test('judged evidence contains the secret, and the recorded row does not', async (t) => {
  const target = await rawTarget(
    t,
    answering(`{"said":${JSON.stringify(secret)}}`, `HTTP/1.1 200 OK\r\nX-Echo: <${encodeURIComponent(secret)}>`),
  )
  const request = {
    method: 'POST',
    path: `/${encodeURIComponent(secret)}?`,
    headers: [['x-a', `Bearer ${Buffer.from(secret).toString('base64')}`]] as [string, string][], // pairs, as they are sent
    body: Buffer.from(`[${secret}]`),
  }
  const evidence = await createTransport(target.url, 5000).send(request, label)
  t.strictSame(answerOf(evidence)?.json, { said: secret })
  const recorded = recordedOf(evidence, knowing(secret))
  const note = '[redacted: the planted secret]'
  t.match(recorded, {
    ...label,
    request: { url: `${target.url}/${note}?`, headers: [['x-a', `Bearer ${note}`]], body: { text: `[${note}]` } },
    response: { status: 200, body: { text: `{"said":"${note}"}` } },
  })
  t.strictSame(recorded.response?.headers[0], ['X-Echo', `<${note}>`])
  t.equal(recorded.response?.body.bytes, evidence.response?.body.bytes, 'the number of received bytes remains')
})

t.test('a row with a secret in its response or in a request body is marked', (t) => {
  const isMarked = (more: Partial<Evidence>): boolean =>
    cleanRow(sampleRow('CASE/row', { evidence: [sampleEvidence(more)] }), knowing(secret)).redacted === true
  const { request } = sampleEvidence()
  const [body, headers] = [{ text: secret, bytes: secret.length }, [['x-echo', secret] satisfies [string, string]]]
  t.equal(isMarked({}), false)
  t.equal(isMarked({ response: { status: 200, headers: [], body } }), true)
  t.equal(isMarked({ response: { status: 200, headers, body: { bytes: 0 } } }), true)
  t.equal(isMarked({ request: { ...request, body } }), true)
  t.equal(isMarked({ request: { ...request, headers } }), false, 'no expectation reads headers of requests')
  t.end()
})

t.test('redaction finds secrets in binary bodies and at the cut of a body', async (t) => {
  const binary = Buffer.concat([Buffer.from('ff00', 'hex'), Buffer.from(secret), Buffer.from('fe', 'hex')])
  const target = await rawTarget(t, answering(binary))
  const recordOf = async (body: Buffer) => {
    const request = { method: 'POST', path: '/', headers: [], body }
    return recordedOf(await createTransport(target.url, 5000).send(request, label), knowing(secret))
  }
  const straddling = Buffer.from(`${'x'.repeat(mebibyte - 11)} ${secret} ${'y'.repeat(100)}`)
  const { request, response } = await recordOf(straddling)
  const cleaned = Buffer.from(response?.body.base64 ?? '', 'base64').toString('latin1')
  t.equal(cleaned, '\u00ff\u0000[redacted: the planted secret]\u00fe')
  t.equal(request.body?.text?.slice(mebibyte - 10), '[redacted:', 'cut after it was cleaned')
  t.match(request.body, { cut: true, bytes: straddling.length })
  const bodies: [body: Buffer, kept: object][] = [
    [Buffer.alloc(mebibyte, 'x'), { text: 'x'.repeat(mebibyte), bytes: mebibyte }],
    [
      Buffer.from(`${'x'.repeat(mebibyte - 1)}\u{1f600}`),
      { text: 'x'.repeat(mebibyte - 1), bytes: mebibyte + 3, cut: true },
    ],
    [
      Buffer.concat([Buffer.alloc(mebibyte), Buffer.from('ff0000', 'hex')]),
      { base64: Buffer.alloc(mebibyte).toString('base64'), bytes: mebibyte + 3, cut: true },
    ],
  ]
  for (const [body, kept] of bodies) t.strictSame((await recordOf(body)).request.body, kept)
})

t.test('a secret with a colon in a header is redacted in name and value', async (t) => {
  const target = await rawTarget(t, answering('{}', 'HTTP/1.1 200 OK\r\nplanted-key:of-colons: 1'))
  const sent = await createTransport(target.url, 5000).send(
    { method: 'GET', path: '/', headers: [], body: undefined },
    label,
  )
  const recorded = recordedOf(sent, knowing('planted-key:of-colons'))
  t.strictSame(recorded.response?.headers[0], ['[redacted: the planted secret]: 1', ''])
})
