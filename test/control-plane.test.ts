/** The control plane over real sockets: what it refuses, and what each of its calls changes. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { isJsonObject, type JsonObject, type JsonValue } from '../interface/json.js'
import { Journal } from '../simulator/control/journal.js'
import { AdjustableClock } from '../simulator/ledger/adjustable-clock.js'
import type { Clock } from '../simulator/ledger/clock.js'
import { type SimulatorOptions, startSimulator } from '../simulator/simulator.js'
import { objectIn, type SimulatorWorld, simulatorWorld, submitPath, textAt } from './simulator-world.js'
import { connect, type WireAnswer } from './wire.js'

interface ControlledWorld extends SimulatorWorld {
  /** Calls the control plane; `what` is method and path below `/control`. */
  control(what: string, body?: JsonValue): Promise<WireAnswer>
}

async function controlled(
  t: Test,
  options: SimulatorOptions = {},
  headers: Record<string, string> = {},
): Promise<ControlledWorld> {
  const world = await simulatorWorld(t, { control: true, ...options }, headers)
  const control: ControlledWorld['control'] = (what, body) => {
    const [method = '', path = ''] = what.split(' ')
    return world.wire.send({
      method,
      path: `/control${path}`,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
  return { ...world, control }
}

const get = (path: string, headers: Record<string, string> = {}) => ({ method: 'GET', path, headers })

/** Status and error code. */
const refusal = (answer: WireAnswer): string => `${answer.status} ${textAt(objectIn(answer), 'code')}`

function member(value: JsonValue | undefined, ...names: string[]): JsonValue | undefined {
  return names.reduce<JsonValue | undefined>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), value)
}

const items = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])

t.test('who did not ask for a control plane has none', async (t) => {
  const { wire } = await simulatorWorld(t)
  for (const path of ['/control', '/control/clock', '/control/reset']) {
    t.match((await wire.send(get(path))).json(), { status: 404, ledgerApiError: null }, path)
  }
})

t.test('requests that a web page could have caused are refused, whatever they ask for', async (t) => {
  const { wire, control } = await controlled(t)
  const before = (await control('GET /seed')).text
  const strangers: Record<string, string>[] = [
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1' },
    { host: 'evil.example' },
    { host: 'localhost.evil.example' },
    { host: '127.0.0.1.evil.example:80' },
    { host: '127.evil:80' },
    { host: '10.0.0.1' },
    { host: '' },
    { 'sec-fetch-site': 'cross-site' },
  ]
  for (const headers of strangers) {
    const title = JSON.stringify(headers)
    t.equal(refusal(await wire.send(get('/control', headers))), '403 NOT_FROM_HERE', title)
    const change = { method: 'PUT', path: '/control/seed', headers, body: '{"seed":"evil"}' }
    t.equal(refusal(await wire.send(change)), '403 NOT_FROM_HERE', title)
    t.equal(refusal(await wire.send(get('/control/nothing', headers))), '403 NOT_FROM_HERE', title)
  }
  t.equal((await control('GET /seed')).text, before)
  const friends = [{ host: 'LOCALHOST:1' }, { host: '[::1]:80' }, { host: '127.0.0.2' }, { 'sec-fetch-site': 'none' }]
  for (const headers of friends) {
    t.equal((await wire.send(get('/control', headers))).status, 200, JSON.stringify(headers))
  }
})

t.test('a mistake in a call is answered with a code and a message that says what would be right', async (t) => {
  const { wire, control } = await controlled(t)
  const mistakes: [what: string, body: JsonValue | undefined, refused: string, told: string | RegExp][] = [
    ['GET /clok', undefined, '404 UNKNOWN_CALL', 'did you mean "/control/clock"?'],
    ['GET /faults/%ff', undefined, '400 INVALID_PATH', 'cannot be decoded'],
    ['DELETE /clock', undefined, '405 METHOD_NOT_ALLOWED', '/control/clock takes GET, not DELETE'],
    ['POST /clock/advance', {}, '400 INVALID_BODY', "Missing required field at 'seconds'"],
    ['POST /clock/advance', { secnds: 1 }, '400 INVALID_BODY', 'did you mean "seconds"?'],
    ['POST /clock/advance', [], '400 INVALID_BODY', 'expected a JSON object'],
    ['POST /clock/advance', { seconds: -1 }, '400 INVALID_BODY', 'not negative'],
    ['POST /clock/advance', { seconds: '1' }, '400 INVALID_BODY', 'a number of seconds'],
    ['POST /clock/advance', { seconds: 999_999_999_999 }, '400 TIME_OUT_OF_RANGE', '9999-12-31T23:59:59.999999Z'],
    ['POST /clock/set', { now: '2001-01-01T00:00:00Z' }, '400 TIME_OUT_OF_RANGE', 'never goes back'],
    ['POST /clock/set', { now: 'tomorrow' }, '400 INVALID_BODY', 'could not be parsed'],
    ['PUT /seed', { seed: 7 }, '400 INVALID_BODY', 'expecting string'],
    ['PATCH /behaviour', { name: 'interfac' }, '404 UNKNOWN_BEHAVIOUR', 'did you mean "interface"?'],
    [
      'PATCH /behaviour',
      { switchPoints: { 'populated-contract-lookup': false, 'populated-contract-lookups': true } },
      '404 UNKNOWN_SWITCH_POINT',
      'did you mean "populated-contract-lookup"?',
    ],
    ['PATCH /rules', { 'SAW-ACT-AS-PARTI': false }, '404 UNKNOWN_RULE', 'did you mean "SAW-ACT-AS-PARTY"?'],
    ['PATCH /rules', { 'SAW-ACT-AS-PARTY': 'no' }, '400 INVALID_BODY', 'expecting boolean'],
    ['POST /faults', {}, '400 INVALID_BODY', "Missing required field at 'kind'"],
    ['POST /faults', { kind: 'dely', milliseconds: 1 }, '404 UNKNOWN_FAULT_KIND', 'did you mean "delay"?'],
    ['POST /faults', { kind: 'delay' }, '400 INVALID_BODY', "Missing required field at 'milliseconds'"],
    ['POST /faults', { kind: 'delay', milliseconds: 0 }, '400 INVALID_BODY', 'from 1 to 600000, not 0'],
    ['POST /faults', { kind: 'status', status: 200 }, '400 INVALID_BODY', 'from 400 to 599, not 200'],
    ['POST /faults', { kind: 'truncate', at: 'request' }, '400 INVALID_BODY', 'unknown member "at"'],
    ['POST /faults', { kind: 'reset', every: 1, next: 1 }, '400 INVALID_BODY', 'exclude each other'],
    ['POST /faults', { kind: 'reset', operation: 'submit-and-wat' }, '404 UNKNOWN_OPERATION', '"submit-and-wait"?'],
    ['POST /faults', { kind: 'reset', operation: 'PUT /v2/users' }, '404 UNKNOWN_OPERATION', '"POST /v2/users"?'],
    ['DELETE /faults/fault-1', undefined, '404 UNKNOWN_FAULT', 'there is none yet'],
    ['GET /journal?operation=contract-by', undefined, '404 UNKNOWN_OPERATION', '"contract-by-id"?'],
    ['GET /journal?las=3', undefined, '400 INVALID_QUERY', 'did you mean "last"?'],
    ['GET /journal?last=0', undefined, '400 INVALID_QUERY', 'at least 1'],
  ]
  for (const [what, body, refused, told] of mistakes) {
    const answer = await control(what, body)
    t.equal(refusal(answer), refused, what)
    t.equal(answer.contentType, 'application/json')
    t.strictSame(Object.keys(objectIn(answer)), ['code', 'message'])
    t.match(textAt(objectIn(answer), 'message'), told)
  }
  const broken = await wire.send({ path: '/control/clock/advance', body: '{"seconds":\n 1,}' })
  t.match(broken.json(), { code: 'INVALID_BODY', message: /line 2, column 4/ })
  const points = member((await control('GET /behaviour')).json(), 'switchPoints', 'populated-contract-lookup')
  t.equal(points, true, 'what is wrong in part is not done at all')
})

t.test('the clock is frozen, advanced and set, and whoever waits for a time is woken when it has come', async (t) => {
  const { wire, control, submission } = await controlled(t)
  const now = async (): Promise<JsonValue | undefined> => member((await control('GET /clock')).json(), 'now')
  t.match((await control('GET /clock')).json(), { frozen: false })
  await control('POST /clock/freeze')
  await control('POST /clock/set', { now: '2050-01-01T00:00:00Z' })
  t.equal(await now(), '2050-01-01T00:00:00Z')
  await control('POST /clock/advance', { seconds: 1.25 })
  t.equal(await now(), '2050-01-01T00:00:01.250Z')
  t.equal(await now(), '2050-01-01T00:00:01.250Z', 'it stands still')

  const faraway = submission({ minLedgerTimeAbs: '2060-01-01T00:00:00Z' })
  const waiting = wire.post(submitPath, faraway)
  t.match((await control('POST /clock/advance', { seconds: 1 })).json(), { now: '2050-01-01T00:00:02.250Z' })
  await control('POST /clock/set', { now: '2060-01-01T00:00:00Z' })
  t.equal((await waiting).status, 200)

  await control('POST /clock/unfreeze')
  t.match((await control('GET /clock')).json(), { frozen: false, now: /^2060-01-01T00:00:0/ })
  t.not(await now(), await now())
  const soon = wire.post(submitPath, submission({ minLedgerTimeRel: { seconds: 0, nanos: 1000 } }))
  t.equal((await soon).status, 200, 'it runs')
})

t.test('ids follow from a seed: the same one at the same place gives the same ids', async (t) => {
  const [first, second] = [await controlled(t, { seed: 'one' }), await controlled(t, { seed: 'one' })]
  const next = async ({ wire, submission }: ControlledWorld, commandId: string): Promise<string> =>
    textAt(objectIn(await wire.post(submitPath, submission({ commandId }))), 'updateId')
  t.equal(await next(first, 'a'), await next(second, 'a'))
  await first.control('PUT /seed', { seed: 'two' })
  t.match((await first.control('GET /seed')).json(), { seed: 'two' })
  const ofTwo = await next(first, 'b')
  t.not(ofTwo, await next(second, 'b'))
  await second.control('PUT /seed', { seed: 'one' })
  t.not(await next(second, 'c'), await next(first, 'c'), 'the same seed again repeats no id')
})

t.test('behaviour and single switch points change what is answered', async (t) => {
  const { wire, control, submission } = await controlled(t)
  const status = async (): Promise<number> => (await wire.post(submitPath, submission({ tapsMaxPasses: 5 }))).status
  const change = async (body: JsonValue): Promise<JsonValue | undefined> => {
    const answer = (await control('PATCH /behaviour', body)).json()
    t.strictSame((await control('GET /behaviour')).json(), answer)
    return [member(answer, 'name') ?? null, member(answer, 'switchPoints', 'refuse-taps-above-limit') ?? null]
  }
  t.equal(await status(), 200)
  t.strictSame(await change({ switchPoints: { 'refuse-taps-above-limit': true } }), ['canton-3.5', true])
  t.equal(await status(), 400)
  t.strictSame(await change({}), ['canton-3.5', true])
  t.strictSame(await change({ name: 'canton-3.5' }), ['canton-3.5', false], 'a behaviour comes with its own points')
  t.strictSame(await change({ name: 'interface' }), ['interface', true])
  t.equal(await status(), 400)
})

t.test('checks of rules are listed, left out and made again', async (t) => {
  const { wire, control, submission } = await controlled(t, { without: ['SAW-WORKFLOW-ID-LEDGER-STRING'] })
  const status = async (more: JsonObject): Promise<number> => (await wire.post(submitPath, submission(more))).status
  const rules = member((await control('GET /rules')).json(), 'rules')
  if (!isJsonObject(rules)) throw new Error('no rules')
  const made = Object.entries(rules).filter(([, on]) => on === false)
  t.strictSame(made, [['SAW-WORKFLOW-ID-LEDGER-STRING', false]])
  t.equal(await status({ workflowId: '%' }), 200)
  await control('PATCH /rules', { 'SAW-WORKFLOW-ID-LEDGER-STRING': true, 'SAW-COMMAND-ID-LEDGER-STRING': false })
  t.equal(await status({ workflowId: '%' }), 400)
  t.equal(await status({ commandId: '%' }), 200)

  const folder = fileURLToPath(new URL('../simulator/', import.meta.url))
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'))
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const written = texts.flatMap((text) => [...text.matchAll(/rule: '([A-Z-]+)'/g)].map(([, rule = '']) => rule))
  t.strictSame(Object.keys(rules), [...new Set(written)].sort(), 'every check that there is')
})

t.test('faults befall the calls that they are set for', async (t) => {
  const { wire, control, submission, ledgerEnd } = await controlled(t)
  const submitted = async (): Promise<string> => {
    const end = await ledgerEnd()
    const answer = await wire.post(submitPath, submission()).then(
      ({ status, text }) => `${status} ${text.slice(0, 12)}`,
      (error: { code?: string; cause?: { code?: string } }) => error.code ?? error.cause?.code ?? 'an error',
    )
    return `${answer}, ${(await ledgerEnd()) === end ? 'no effect' : 'in effect'}`
  }
  const befalls = async (fault: JsonObject): Promise<string> => {
    await control('POST /faults', { operation: 'submit-and-wait', ...fault })
    const seen = await submitted()
    await control('DELETE /faults')
    return seen
  }
  const fine = '200 {"updateId":, in effect'
  t.equal(await submitted(), fine)
  t.equal(await befalls({ kind: 'status', status: 503 }), '503 Service Unav, no effect')
  t.equal(await befalls({ kind: 'status', status: 500, at: 'answer', body: { a: 1 } }), '500 {"a":1}, in effect')
  t.equal(await befalls({ kind: 'status', status: 429, body: 'slow down' }), '429 slow down, no effect')
  t.equal(await befalls({ kind: 'reset' }), 'ECONNRESET, no effect')
  t.equal(await befalls({ kind: 'reset', at: 'answer' }), 'ECONNRESET, in effect')
  t.equal(await befalls({ kind: 'truncate' }), 'UND_ERR_SOCKET, in effect')
  t.equal(await befalls({ kind: 'truncate', bytes: 0 }), 'UND_ERR_SOCKET, in effect')
  t.equal(await befalls({ kind: 'truncate', bytes: 1_000_000 }), 'UND_ERR_SOCKET, in effect', 'something is missing')
  t.match(await befalls({ kind: 'garbage' }), /^200 \{\ufffd.*in effect$/s)
  for (const at of ['request', 'answer']) {
    const begin = performance.now()
    t.equal(await befalls({ kind: 'delay', milliseconds: 60, at }), fine)
    t.ok(performance.now() - begin >= 59, `delayed at the ${at}`)
  }
  t.equal(await submitted(), fine, 'what is cleared strikes no more')
})

t.test('a fault strikes every nth call or the next n, of the operations that it names', async (t) => {
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
      { id: third, kind: 'status', status: 503, every: 3, calls: 7, struck: 2 },
      { id: next, kind: 'status', status: 502, next: 2, calls: 7, struck: 2 },
    ],
  })
  await control(`DELETE /faults/${third}`)
  await fault({ status: 500, operation: '/v2/parties/{party}' })
  t.strictSame(await statuses('/v2/version', 3), [200, 200, 200])
  t.strictSame(await statuses('/v2/parties/alice', 1), [500])
  t.strictSame(await statuses('/v2/parties/participant-id', 1), [200])
  await fault({ status: 501 })
  t.strictSame(await statuses('/livez', 1), [501], 'no operation is every operation')
  t.strictSame(await statuses('/control/faults', 1), [200], 'but not the control plane')
  t.strictSame(await statuses('/nothing', 1), [404])
  for (let count = 3; count < 100; count += 1) await fault({ status: 500, operation: 'version' })
  t.equal(refusal(await control('POST /faults', { kind: 'reset' })), '409 TOO_MANY_FAULTS')
})

t.test('a delayed answer keeps nobody waiting who has gone', async (t) => {
  const simulator = await startSimulator({ control: true })
  const wire = connect(simulator.url)
  t.teardown(() => wire.close())
  const fault = { kind: 'delay', milliseconds: 600_000, operation: 'livez' }
  await wire.post('/control/faults', fault)
  const late = wire.send(get('/livez'))
  await wire.post('/control/faults', { ...fault, at: 'answer' })
  const begin = performance.now()
  await simulator.close()
  await t.rejects(late)
  t.ok(performance.now() - begin < 60_000)
})

t.test('the journal tells what was asked and answered, without secrets', async (t) => {
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
  const headers = new Map(member(submit, 'request', 'headers') as [string, string][]) // pairs, as the journal shows them
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

t.test('the journal holds the last exchanges, and no more of them than it may', (t) => {
  const numbers = (journal: Journal): unknown[] => journal.read(undefined, 100).exchanges.map(({ number }) => number)
  const few = new Journal({ exchanges: 3, characters: 1000 })
  for (let count = 1; count <= 5; count += 1) few.add(undefined, { text: 'short' })
  t.strictSame(numbers(few), [3, 4, 5])
  t.equal(few.read(undefined, 2).seen, 5)
  few.add(undefined, { text: 'x'.repeat(970) })
  t.strictSame(numbers(few), [6], 'a long one takes the room of others')
  few.add(undefined, { text: 'x'.repeat(1000) })
  t.strictSame(numbers(few), [], 'what is longer than the whole journal is not kept')
  few.clear()
  few.add(undefined, {})
  t.strictSame(numbers(few), [1])
  t.end()
})

t.test('an adjustable clock wakes whoever waits, and never shows less than it did', async (t) => {
  const second = 1_000_000n
  let time = 100n * second
  const runs: (() => void)[] = []
  const base: Clock = {
    now: () => time,
    transit: () => Promise.resolve(),
    reach: (_wanted, signal) =>
      new Promise((resolve) => {
        runs.push(resolve)
        signal?.addEventListener('abort', () => resolve(), { once: true })
      }),
  }
  const clock = new AdjustableClock(base)
  const running = clock.reach(110n * second)
  time = 110n * second
  for (const run of runs) run()
  await running
  const waiting = clock.reach(200n * second)
  clock.advance(89n * second)
  clock.freeze()
  clock.advance(1n * second)
  await waiting
  t.equal(clock.now(), 200n * second)
  time = 115n * second
  t.equal(clock.now(), 200n * second)
  const stopped = new AbortController()
  const given = clock.reach(300n * second, stopped.signal)
  stopped.abort()
  await given
  const frozen = clock.state
  clock.unfreeze()
  clock.unfreeze()
  time = 116n * second
  t.equal(clock.now(), 201n * second)
  const state = clock.state

  time = 50n * second
  const other = new AdjustableClock(base)
  other.restore(state)
  t.equal(other.now(), 201n * second, 'a machine that is behind')
  time = 51n * second
  t.equal(other.now(), 202n * second)
  time = 1000n * second
  other.restore(state)
  t.equal(other.now(), 1085n * second, 'a machine that is ahead')
  other.restore(frozen)
  t.equal(other.now(), 200n * second)
})
