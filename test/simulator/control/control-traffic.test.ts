/** Faults between the network and the operations, and the journal of requests. */
import { SignJWT } from 'jose'
import t from 'tap'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.js'
import { Journal } from '../../../simulator/control/state/journal.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { controlled, get, member, refusal } from '../../support/ledgers/controlled-environment.js'
import { objectIn, submitPath, textAt } from '../../support/ledgers/simulator-environment.js'
import { connect } from '../../support/servers/wire.js'

const items = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])

t.test('injects faults into the calls of their operation', async (t) => {
  const { wire, control, submission, ledgerEnd } = await controlled(t)
  const submitted = async (): Promise<string> => {
    const end = await ledgerEnd()
    const answer = await wire.post(submitPath, submission()).then(
      ({ status, text }) => `${status} ${text.slice(0, 12)}`,
      (error: { code?: string; cause?: { code?: string } }) => error.code ?? error.cause?.code ?? 'an error',
    )
    return `${answer}, ${(await ledgerEnd()) === end ? 'no effect' : 'in effect'}`
  }
  const outcomeOf = async (fault: JsonObject): Promise<string> => {
    await control('POST /faults', { operation: 'submit-and-wait', ...fault })
    const seen = await submitted()
    await control('DELETE /faults')
    return seen
  }
  const fine = '200 {"updateId":, in effect'
  t.equal(await submitted(), fine)
  t.equal(await outcomeOf({ kind: 'status', status: 503 }), '503 Service Unav, no effect')
  t.equal(await outcomeOf({ kind: 'status', status: 500, at: 'answer', body: { a: 1 } }), '500 {"a":1}, in effect')
  t.equal(await outcomeOf({ kind: 'status', status: 429, body: 'slow down' }), '429 slow down, no effect')
  t.equal(await outcomeOf({ kind: 'reset' }), 'ECONNRESET, no effect')
  t.equal(await outcomeOf({ kind: 'reset', at: 'answer' }), 'ECONNRESET, in effect')
  t.equal(await outcomeOf({ kind: 'truncate' }), 'UND_ERR_SOCKET, in effect')
  t.equal(await outcomeOf({ kind: 'truncate', bytes: 0 }), 'UND_ERR_SOCKET, in effect')
  t.equal(await outcomeOf({ kind: 'truncate', bytes: 1_000_000 }), 'UND_ERR_SOCKET, in effect', 'something is missing')
  t.match(await outcomeOf({ kind: 'garbage' }), /^200 \{\ufffd.*in effect$/s)
  for (const at of ['request', 'answer']) {
    const begin = performance.now()
    t.equal(await outcomeOf({ kind: 'delay', milliseconds: 60, at }), fine)
    t.ok(performance.now() - begin >= 59, `delayed at the ${at}`)
  }
  t.equal(await submitted(), fine, 'a removed fault has no effect')
})

t.test('injects a fault into each nth call or the next n calls of its operations', async (t) => {
  const { wire, control } = await controlled(t)
  const statuses = async (path: string, calls: number): Promise<number[]> => {
    const seen: number[] = []
    for (let call = 0; call < calls; call += 1) seen.push((await wire.send(get(path))).status)
    return seen
  }
  const fault = async (setting: JsonObject): Promise<string> =>
    textAt(objectIn(await control('POST /faults', { kind: 'status', ...setting })), 'id')
  const third = await fault({ status: 503, operation: 'version', every: 3 })
  const next = await fault({ status: 502, operation: 'GET /v2/version', next: 2 })
  t.strictSame(await statuses('/v2/version', 7), [502, 502, 503, 200, 200, 503, 200])
  t.strictSame(await statuses('/livez', 3), [200, 200, 200])
  t.match((await control('GET /faults')).json(), {
    faults: [
      { id: third, kind: 'status', status: 503, every: 3, calls: 7, injected: 2 },
      { id: next, kind: 'status', status: 502, next: 2, calls: 7, injected: 2 },
    ],
  })
  await control(`DELETE /faults/${third}`)
  await fault({ status: 500, operation: '/v2/parties/{party}' })
  t.strictSame(await statuses('/v2/version', 3), [200, 200, 200])
  t.strictSame(await statuses('/v2/parties/alice', 1), [500])
  t.strictSame(await statuses('/v2/parties/participant-id', 1), [200])
  await fault({ status: 501 })
  t.strictSame(await statuses('/livez', 1), [501], 'without an operation, all operations')
  t.strictSame(await statuses('/control/faults', 1), [200], 'not the control plane')
  t.strictSame(await statuses('/nothing', 1), [404])
  for (let count = 3; count < 100; count += 1) await fault({ status: 500, operation: 'version' })
  t.equal(refusal(await control('POST /faults', { kind: 'reset' })), '409 TOO_MANY_FAULTS')
})

t.test('injects a fault into calls with given values in the body, and sets headers', async (t) => {
  const { url, wire, control, submission, alice } = await controlled(t)
  const fault = (setting: JsonObject) => control('POST /faults', { kind: 'status', status: 503, ...setting })
  const sent = async (more: JsonObject): Promise<number> => (await wire.post(submitPath, submission(more))).status
  const byId = { match: { '/commandId': 'late', '/actAs/0': alice }, headers: { 'Retry-After': 7, 'x-cause': 'busy' } }
  t.match((await fault({ ...byId, next: 2 })).json(), {
    match: byId.match,
    headers: { 'retry-after': '7', 'x-cause': 'busy' },
    next: 2,
    calls: 0,
  })
  t.strictSame([await sent({}), await sent({ commandId: 'other' })], [200, 200])
  const answer = await fetch(url + submitPath, {
    method: 'POST',
    body: JSON.stringify(submission({ commandId: 'late' })),
  })
  t.equal(answer.status, 503)
  t.match(Object.fromEntries(answer.headers), { 'retry-after': '7', 'x-cause': 'busy', 'content-type': /^text\/plain/ })
  t.strictSame(
    [await sent({ commandId: 'late' }), await sent({ commandId: 'late' })],
    [503, 200],
    'the first two of its calls',
  )
  t.match((await control('GET /faults')).json(), { faults: [{ calls: 3, injected: 2 }] })

  await control('DELETE /faults')
  const body = { problem: 'too many' }
  await fault({
    body,
    headers: { 'content-type': 'application/problem+json' },
    match: { '/a~1b/1': { x: 1.0, y: [] } },
  })
  const statuses: unknown[] = []
  const bodies = [
    '{"a/b":[0,{"y":[],"x":1e0}]}',
    '{"a/b":[0,{"x":1}]}',
    '{"a/b":{"1":{}}}',
    'null',
    '',
    '{"a/b":[',
    '\xff',
  ]
  for (const text of bodies)
    statuses.push((await wire.send({ path: submitPath, body: Buffer.from(text, 'latin1') })).status)
  t.strictSame(statuses, [503, 400, 400, 400, 400, 400, 400], 'malformed or different JSON does not match')
  const problem = await wire.send({ path: submitPath, body: bodies[0] ?? '' })
  t.match(problem, { contentType: 'application/problem+json', text: '{"problem":"too many"}' })
  await control('DELETE /faults')
  await fault({ match: { '': [] } })
  t.equal((await wire.post(submitPath, [])).status, 503, 'the empty pointer is the whole body')
  t.equal((await wire.send(get('/livez'))).status, 200, 'a call without a body does not match')
})

t.test('stops a delay when the client disconnects', async (t) => {
  const simulator = await startSimulator({ control: true })
  const wire = connect(simulator.url)
  t.teardown(() => wire.close())
  const fault = { kind: 'delay', milliseconds: 600_000, operation: 'livez' }
  await wire.post('/control/faults', fault)
  const late = wire.send(get('/livez'))
  await wire.post('/control/faults', { ...fault, at: 'answer' })
  // Without the stop, this waits ten minutes.
  await simulator.close()
  await t.rejects(late)
})

t.test('the journal contains requests and answers without secrets', async (t) => {
  const secret = 'planted-secret-5c1f'
  const claims = { sub: 'participant_admin', scope: 'daml_ledger_api', exp: Math.floor(Date.now() / 1000) + 200 }
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret))
  const admin = { authorization: `Bearer ${token}` }
  const { wire, control, submission } = await controlled(t, { authorization: `hs256:${secret}` }, admin)
  await control('DELETE /journal')
  const sent = submission({ userId: '', workflowId: token })
  await wire.post(`${submitPath}?token=${token}`, sent, {
    ...admin,
    'x-api-key': 'another-secret-value',
    cookie: 'a=0123456789abcdef',
  })
  await wire.send({
    path: '/v2/nothing',
    headers: { authorization: 'Basic cGxhbnRlZDpzZWNyZXQtNWMxZg==' },
    body: 'lost',
  })
  await wire.send(get('/v2/version', { note: `it was ${token.replace(/.$/, '')}` }))
  const journal = await control('GET /journal')
  for (const hidden of [token, secret, 'another-secret-value', '0123456789abcdef', 'cGxhbnRlZDpzZWNyZXQtNWMxZg']) {
    t.notMatch(journal.text, hidden)
  }
  t.notMatch(journal.text, /eyJ/)
  const [submit, lost, version] = items(member(journal.json(), 'exchanges'))
  t.match(submit, {
    number: 1,
    operation: 'submit-and-wait',
    startedAt: /^20/,
    request: {
      method: 'POST',
      path: `${submitPath}?token=[redacted: authorization]`,
      body: { text: /"commandId":"c-/ },
    },
    response: { contentType: 'application/json', body: { text: /"code"/ } },
  })
  const headers = new Map(member(submit, 'request', 'headers') as [string, string][]) // the format of the journal
  for (const name of ['authorization', 'x-api-key', 'cookie']) t.equal(headers.get(name), '[redacted]')
  t.equal(headers.get('content-type'), 'application/json')
  t.match(lost, { operation: null, request: { path: '/v2/nothing' }, response: { status: 404 } })
  t.match(version, { operation: 'version', response: { status: 200, body: { text: /3\.5\.10/ } } })

  const only = async (query: string): Promise<JsonValue[]> =>
    items(member((await control(`GET /journal?${query}`)).json(), 'exchanges')).map(({ number }) => number ?? null)
  t.strictSame(await only('operation=version'), [3])
  t.strictSame(await only(`operation=${encodeURIComponent(submitPath)}`), [1])
  t.strictSame(await only('last=2'), [2, 3])
  await control('DELETE /journal')
  t.strictSame((await control('GET /journal')).json(), { exchanges: [], seen: 0 })
})

t.test('the journal drops the oldest exchanges beyond its limits', (t) => {
  const numbers = (journal: Journal): unknown[] => journal.read(undefined, 100).exchanges.map(({ number }) => number)
  const few = new Journal({ exchanges: 3, characters: 1000 })
  for (let count = 1; count <= 5; count += 1) few.add(undefined, { text: 'short' })
  t.strictSame(numbers(few), [3, 4, 5])
  t.equal(few.read(undefined, 2).seen, 5)
  few.add(undefined, { text: 'x'.repeat(970) })
  t.strictSame(numbers(few), [6], 'a long exchange displaces several others')
  few.add(undefined, { text: 'x'.repeat(1000) })
  t.strictSame(numbers(few), [], 'an exchange above the limit is not stored')
  few.clear()
  few.add(undefined, {})
  t.strictSame(numbers(few), [1])
  t.end()
})
