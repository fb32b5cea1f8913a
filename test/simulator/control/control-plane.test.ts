/** The control plane over sockets: rejected calls, and the effect of each call. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { JsonValue } from '../../../lib/json/json.js'
import { enforcedRules } from '../../../simulator/base/checks.js'
import { AdjustableClock, type Clock } from '../../../simulator/ledger/state/clock.js'
import { controlled, get, member, refusal } from '../../support/ledgers/controlled-environment.js'
import { objectIn, simulatorEnvironment, submitPath, textAt } from '../../support/ledgers/simulator-environment.js'

t.test('has no control plane by default', async (t) => {
  const { wire } = await simulatorEnvironment(t)
  for (const path of ['/control', '/control/clock', '/control/reset']) {
    t.match((await wire.send(get(path))).json(), { status: 404, ledgerApiError: null }, path)
  }
})

t.test('rejects invalid calls with a code and a correction', async (t) => {
  const { wire, control } = await controlled(t)
  const busy = { kind: 'status', status: 503 }
  const mistakes: [what: string, body: JsonValue | undefined, refused: string, message: string | RegExp][] = [
    ['GET /clok', undefined, '404 UNKNOWN_CALL', 'did you mean "/control/clock"?'],
    ['GET /faults/%ff', undefined, '400 INVALID_PATH', 'cannot be decoded'],
    ['DELETE /clock', undefined, '405 METHOD_NOT_ALLOWED', '/control/clock takes GET, not DELETE'],
    ['POST /clock/advance', {}, '400 INVALID_BODY', "Missing required field at 'seconds'"],
    ['POST /clock/advance', { secnds: 1 }, '400 INVALID_BODY', 'did you mean "seconds"?'],
    ['POST /clock/advance', [], '400 INVALID_BODY', 'expected a JSON object'],
    ['POST /clock/advance', { seconds: -1 }, '400 INVALID_BODY', 'non-negative'],
    ['POST /clock/advance', { seconds: '1' }, '400 INVALID_BODY', 'number of seconds'],
    ['POST /clock/advance', { seconds: 999_999_999_999 }, '400 TIME_OUT_OF_RANGE', '9999-12-31T23:59:59.999999Z'],
    ['POST /clock/set', { now: '2001-01-01T00:00:00Z' }, '400 TIME_OUT_OF_RANGE', 'never goes back'],
    ['POST /clock/set', { now: 'tomorrow' }, '400 INVALID_BODY', 'could not be parsed'],
    ['POST /faults', {}, '400 INVALID_BODY', "Missing required field at 'kind'"],
    ['POST /faults', { kind: 'dely', milliseconds: 1 }, '404 UNKNOWN_FAULT_KIND', 'did you mean "delay"?'],
    ['POST /faults', { kind: 'status', status: 500, match: {} }, '400 INVALID_BODY', 'at least one JSON pointer'],
    ['POST /faults', { kind: 'reset', match: ['/a'] }, '400 INVALID_BODY', 'at least one JSON pointer'],
    [
      'POST /faults',
      { kind: 'reset', match: { commandId: 1 } },
      '400 INVALID_BODY',
      '"commandId" is not a JSON pointer',
    ],
    ['POST /faults', { kind: 'reset', match: { '/a~2': 1 } }, '400 INVALID_BODY', '"/a~2" is not a JSON pointer'],
    ['POST /faults', { kind: 'reset', headers: { a: 'b' } }, '400 INVALID_BODY', 'unknown member "headers"'],
    ['POST /faults', { ...busy, headers: 'retry-after: 1' }, '400 INVALID_BODY', 'valid header names and values'],
    ['POST /faults', { ...busy, headers: { 'a b': '1' } }, '400 INVALID_BODY', 'valid header names and values'],
    ['POST /faults', { ...busy, headers: { a: 'b\nc: d' } }, '400 INVALID_BODY', 'valid header names and values'],
    ['POST /faults', { ...busy, headers: { a: 'b\u0001' } }, '400 INVALID_BODY', 'valid header names and values'],
    ['POST /faults', { ...busy, headers: { a: null } }, '400 INVALID_BODY', 'valid header names and values'],
    ['POST /faults', { ...busy, headers: { 'Content-Length': 1 } }, '400 INVALID_BODY', 'sets connection headers and'],
    ['POST /faults', { kind: 'delay' }, '400 INVALID_BODY', "Missing required field at 'milliseconds'"],
    ['POST /faults', { kind: 'delay', milliseconds: 0 }, '400 INVALID_BODY', 'from 1 to 600000, not 0'],
    ['POST /faults', { kind: 'status', status: 200 }, '400 INVALID_BODY', 'from 400 to 599, not 200'],
    ['POST /faults', { kind: 'truncate', at: 'request' }, '400 INVALID_BODY', 'unknown member "at"'],
    ['POST /faults', { kind: 'reset', every: 1, next: 1 }, '400 INVALID_BODY', 'exclude each other'],
    ['POST /faults', { kind: 'reset', operation: 'submit-and-wat' }, '404 UNKNOWN_OPERATION', '"submit-and-wait"?'],
    ['POST /faults', { kind: 'reset', operation: 'PUT /v2/users' }, '404 UNKNOWN_OPERATION', '"POST /v2/users"?'],
    ['DELETE /faults/fault-1', undefined, '404 UNKNOWN_FAULT', 'none exists'],
    ['GET /journal?operation=contract-by', undefined, '404 UNKNOWN_OPERATION', '"contract-by-id"?'],
    ['GET /journal?last=0', undefined, '400 INVALID_QUERY', 'at least 1'],
  ]
  for (const [what, body, refused, message] of mistakes) {
    const answer = await control(what, body)
    t.equal(refusal(answer), refused, what)
    t.equal(answer.contentType, 'application/json')
    t.strictSame(Object.keys(objectIn(answer)), ['code', 'message'])
    t.match(textAt(objectIn(answer), 'message'), message)
  }
  const broken = await wire.send({ path: '/control/clock/advance', body: '{"seconds":\n 1,}' })
  t.match(broken.json(), { code: 'INVALID_BODY', message: /line 2, column 4/ })
})

t.test('freezes, advances and sets the clock, and wakes the requests that wait for a time', async (t) => {
  const { wire, control, submission } = await controlled(t)
  const now = async (): Promise<JsonValue | undefined> => member((await control('GET /clock')).json(), 'now')
  t.match((await control('GET /clock')).json(), { frozen: false })
  await control('POST /clock/freeze')
  await control('POST /clock/set', { now: '2050-01-01T00:00:00Z' })
  t.equal(await now(), '2050-01-01T00:00:00Z')
  await control('POST /clock/advance', { seconds: 1.25 })
  t.equal(await now(), '2050-01-01T00:00:01.250Z')
  t.equal(await now(), '2050-01-01T00:00:01.250Z', 'the clock is frozen')
  const news = { beginExclusive: 0, filter: { filtersByParty: {}, filtersForAnyParty: { cumulative: [] } } }
  const list = await wire.post('/v2/updates?stream_idle_timeout_ms=1', news)
  t.match(list, { status: 200, text: '[]' }, 'a wait in real time continues')

  const faraway = submission({ minLedgerTimeAbs: '2060-01-01T00:00:00Z' })
  const waiting = wire.post(submitPath, faraway)
  t.match((await control('POST /clock/advance', { seconds: 1 })).json(), { now: '2050-01-01T00:00:02.250Z' })
  await control('POST /clock/set', { now: '2060-01-01T00:00:00Z' })
  t.equal((await waiting).status, 200)

  await control('POST /clock/unfreeze')
  t.match((await control('GET /clock')).json(), { frozen: false, now: /^2060-01-01T00:00:0/ })
  t.not(await now(), await now())
  const soon = wire.post(submitPath, submission({ minLedgerTimeRel: { seconds: 0, nanos: 1000 } }))
  t.equal((await soon).status, 200, 'the clock runs')
})

const ruleInCode = /'((?:AUTH|CBI|EXE|PRE|SAW|VET)-[A-Z0-9-]+)'/g

t.test('each rule in the code has a check of its own', async (t) => {
  const folder = fileURLToPath(new URL('../../../simulator/', import.meta.url))
  const files = (await readdir(folder, { recursive: true })).filter(
    // Mutants name rules too.
    (name) => name.endsWith('.js') && !name.startsWith('mutants'),
  )
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const written = texts.flatMap((text) => [...text.matchAll(ruleInCode)].map(([, rule = '']) => rule))
  t.strictSame(enforcedRules(), [...new Set(written)].sort())
})

t.test('an adjustable clock wakes waiting requests and never goes back', async (t) => {
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
  t.equal(other.now(), 201n * second, 'a system clock that is behind')
  time = 51n * second
  t.equal(other.now(), 202n * second)
  time = 1000n * second
  other.restore(state)
  t.equal(other.now(), 1085n * second, 'a system clock that is ahead')
  other.restore(frozen)
  t.equal(other.now(), 200n * second)
})
