/** Outages, 429 answers and unanswered paths. */
import { setImmediate as nextTick } from 'node:timers/promises'
import t from 'tap'
import type { Evidence } from '../../../record/types/record.js'
import { isUnavailable, mayHaveHadEffect, readRetryRequest } from '../../../runner/transport/availability.js'
import { EarlyEnd } from '../../../runner/transport/early-end.js'
import { OutageGuard } from '../../../runner/transport/outage-guard.js'
import type { Transport } from '../../../runner/transport/transport.js'

type Outcome = Pick<Evidence, 'problem' | 'response'>

const answered = (status: number, headers: [string, string][] = []): Outcome => ({
  response: { status, headers, body: { bytes: 0 } },
})
const failed = (code: 'timeout' | 'refused' | 'reset' | 'malformed'): Outcome => ({ problem: { code, message: code } })
const evidenceOf = (outcome: Outcome): Evidence => ({
  step: 0,
  role: 'act',
  request: { method: 'POST', url: '', headers: [] },
  startedAt: new Date().toISOString(),
  milliseconds: 1,
  ...outcome,
})
const label = { step: 0, role: 'act' } as const
const submit = { method: 'POST', path: '/v2/commands/submit-and-wait', headers: [], body: undefined }
const lookUp = { ...submit, path: '/v2/contracts/contract-by-id' }

/** A guard with a sequence of outcomes and of probes; the last one of each repeats. */
function guarded(
  outcomes: Outcome[],
  probes: Outcome[],
  more: Partial<ConstructorParameters<typeof OutageGuard>[1]> = {},
) {
  const sent: string[] = []
  const next = (list: Outcome[]): Evidence => evidenceOf((list.length > 1 ? list.shift() : list[0]) ?? answered(200))
  const transport: Transport = {
    send: async ({ path }) => {
      sent.push(path)
      return next(outcomes)
    },
  }
  const end = more.end ?? new EarlyEnd()
  const guard = new OutageGuard(transport, { probe: async () => next(probes), patience: 60_000, ...more, end })
  guard.targetHasWorked()
  return { guard, sent, end }
}

t.test('an answer is returned unchanged', async (t) => {
  const { guard } = guarded([answered(200)], [])
  const row = guard.forRow()
  t.equal((await row.send(submit, label)).response?.status, 200)
  t.equal(row.disruption, undefined)
  t.strictSame(guard.outages, [])
})

t.test('a missing answer is no outage while the version is answered', async (t) => {
  for (const [outcome, load] of [
    [failed('reset'), 'usual'],
    [failed('timeout'), 'failed'],
    [answered(503), 'failed'],
    [failed('malformed'), 'usual'],
  ] as const) {
    const { guard } = guarded([outcome], [answered(200)])
    const loads: string[] = []
    const row = guard.forRow((_, one) => loads.push(one))
    t.match(await row.send(submit, label), outcome)
    t.strictSame(loads, [load])
    t.equal(row.disruption, undefined)
    t.strictSame(guard.outages, [])
  }
})

t.test('an unanswered version is an outage: the run waits, and the row states its time', async (t) => {
  const reported: unknown[] = []
  const { guard } = guarded([failed('reset')], [failed('refused'), answered(502), answered(200)], {
    report: (outage) => reported.push({ ...outage }),
  })
  const row = guard.forRow()
  await row.send(lookUp, label)
  t.match(row.disruption, {
    reason: { code: 'outage', from: String, to: String },
    repeatable: true,
  })
  t.match(guard.outages, [{ from: String, to: String }])
  t.match(reported, [{ to: undefined }, { to: String }])
})

t.test('a row with a possible effect is not repeatable', async (t) => {
  const { guard } = guarded([answered(200), failed('refused')], [answered(200)])
  const row = guard.forRow()
  await row.send(submit, label)
  await row.send(lookUp, label)
  t.match(row.disruption, { repeatable: false })
  const prepared = guarded([answered(200), failed('reset'), failed('refused')], [failed('refused'), answered(200)])
  const preparing = prepared.guard.forRow()
  for (const _ of [1, 2]) await preparing.send(submit, { ...label, role: 'arrange' })
  await preparing.send(lookUp, label)
  t.match(preparing.disruption, { repeatable: true }, 'a repeated row sends its setup again')
  const later = guarded([failed('refused'), answered(200)], [answered(200)])
  const other = later.guard.forRow()
  await other.send(lookUp, label)
  t.match(other.disruption, { repeatable: true })
  await other.send(submit, label)
  t.match(other.disruption, { repeatable: false }, 'later requests count, too')
})

t.test('a target that does not answer again ends the run', async (t) => {
  const { guard, sent, end } = guarded([failed('reset')], [failed('refused')], { patience: 0 })
  const row = guard.forRow()
  await row.send(lookUp, label)
  t.match(end.decided, {
    cause: 'target-gone',
    from: String,
    participant: undefined,
  })
  const before = sent.length
  const other = guard.forRow()
  t.match(await other.send(submit, { ...label, role: 'restore' }), { problem: { code: 'refused' } })
  t.match(other.disruption, { reason: { code: 'outage', from: String, to: undefined }, repeatable: true })
  t.equal(sent.length, before, 'no further request')
})

t.test('all rows wait for the end of one outage', async (t) => {
  const { guard } = guarded([failed('reset'), failed('reset'), answered(200)], [failed('refused'), answered(200)])
  const rows = [guard.forRow(), guard.forRow()]
  const waiting = rows.map((row) => row.send(lookUp, label))
  await new Promise(setImmediate)
  const late = guard.forRow()
  t.equal((await late.send(lookUp, label)).response?.status, 200)
  await Promise.all(waiting)
  t.ok(rows.every(({ disruption }) => disruption))
  t.equal(late.disruption, undefined)
  t.equal(guard.outages.length, 1)
})

t.test('before the first answer of the target, the guard sees no outage', async (t) => {
  const transport: Transport = { send: async () => evidenceOf(failed('refused')) }
  const guard = new OutageGuard(transport, {
    probe: () => t.fail('a probe') as never, // never called
    patience: 60_000,
    end: new EarlyEnd(),
  })
  t.match(await guard.provisioning.send(lookUp, label), failed('refused'))
})

t.test('a 429 is retried after its Retry-After, within limits', async (t) => {
  const soon = answered(429, [['Retry-After', '0']])
  const { guard, sent } = guarded([soon, answered(200)], [])
  const loads: string[] = []
  const row = guard.forRow((_, load) => loads.push(load))
  t.match(await row.send(submit, label), {
    response: { status: 200 },
    earlier: { message: 'the target returned 429', status: 429, startedAt: String, milliseconds: 1 },
  })
  t.equal(sent.length, 2)
  t.strictSame(loads, ['busy', 'usual'], 'the row learns of both answers')
  t.equal(row.disruption, undefined)
  const patient = guarded([answered(429, [['retry-after', '3600']])], [])
  const blocked = patient.guard.forRow()
  t.equal((await blocked.send(submit, label)).response?.status, 429)
  t.match(blocked.disruption, {
    reason: { code: 'too-busy', seconds: 20, requested: true },
    repeatable: true,
  })
  t.equal(patient.sent.length, 1, 'no retry after an hour')
  const next = patient.guard.forRow()
  t.match(await next.send(submit, label), {
    problem: { message: /submit-and-wait returned 429, and the run waits at most 20 s$/ },
  })
  t.match(next.disruption, { reason: { code: 'too-busy', seconds: 20 } }, 'the path did not time out')
  t.equal(patient.sent.length, 1)
  let clock = 0
  const now = () => {
    clock += 3000
    return clock
  }
  const slow = guarded([soon], [], { now })
  const late = slow.guard.forRow()
  await late.send(submit, label)
  t.match(late.disruption, { reason: { code: 'too-busy' } })
  t.ok(slow.sent.length < 8, 'the limit includes the time of the answers')
  let later = 0
  const faster = () => {
    later += 500
    return later
  }
  const plain = guarded([answered(429), answered(200)], [], { now: faster })
  const own = plain.guard.forRow()
  t.equal((await own.send(submit, label)).response?.status, 200, 'a default wait without Retry-After')
  t.equal(own.disruption, undefined)
  const never = guarded([answered(429)], [], { now: faster })
  const unsaid = never.guard.forRow()
  t.equal((await unsaid.send(submit, label)).response?.status, 429)
  t.match(unsaid.disruption, { reason: { code: 'too-busy', seconds: 5, requested: undefined }, repeatable: true })
})

t.test('requests to one path share the wait for its 429', async (t) => {
  let clock = 0
  const { guard, sent } = guarded([answered(429, [['Retry-After', '0']])], [], { now: () => clock })
  const until = async (count: number): Promise<void> => {
    while (sent.length < count) await nextTick()
  }
  const rows = [guard.forRow(), guard.forRow()] as const
  const first = rows[0].send(submit, label)
  await until(1)
  clock = 19_000
  const second = rows[1].send(submit, label)
  await until(3)
  clock = 20_001
  await Promise.all([first, second])
  for (const { disruption } of rows) t.match(disruption, { reason: { code: 'too-busy' } })
})

t.test('an ended run retries a 429 only for restoring steps', async (t) => {
  const soon = answered(429, [['Retry-After', '0']])
  const { guard, sent, end } = guarded([soon, soon, answered(200)], [])
  end.decide({ cause: 'interrupted', by: 'SIGTERM' })
  const row = guard.forRow()
  await row.send(submit, label)
  t.match(row.disruption, { reason: { code: 'busy-at-end' } })
  t.equal((await row.send(submit, { ...label, role: 'restore' })).response?.status, 200)
  t.equal(sent.length, 3, 'the path is still sent')
})

t.test('a restoring step is sent again after an outage', async (t) => {
  const { guard, sent } = guarded([failed('reset'), answered(200)], [failed('refused'), answered(200)])
  const row = guard.forRow()
  t.match(await row.send(submit, { ...label, role: 'restore' }), answered(200))
  t.equal(row.disruption, undefined)
  t.equal(sent.length, 2)
  const gone = guarded([failed('reset')], [failed('refused'), answered(200), failed('refused'), answered(200)])
  const other = gone.guard.forRow()
  await other.send(submit, { ...label, role: 'restore' })
  t.match(other.disruption, { reason: { code: 'outage', to: String } })
  t.equal(gone.sent.length, 2, 'only once')
})

t.test('a different participant after an outage ends the run', async (t) => {
  const { guard, sent, end } = guarded([failed('reset')], [failed('refused'), answered(200)], {
    findDifferentParticipant: async () => 'x',
  })
  const row = guard.forRow()
  await row.send(lookUp, label)
  t.match(end.decided, {
    cause: 'target-gone',
    from: String,
    participant: 'x',
  })
  t.match(guard.outages, [{ from: String, to: undefined }])
  await row.send(submit, { ...label, role: 'restore' })
  t.equal(sent.length, 1, 'the run changes nothing on a different participant')
})

t.test('a different participant that answers at once after a lost connection ends the run', async (t) => {
  const findDifferentParticipant = async () => 'x'
  for (const [code, isFound] of [
    ['reset', true],
    ['timeout', false],
  ] as const) {
    const { guard, end } = guarded([failed(code)], [answered(200)], { findDifferentParticipant, side: 'reference' })
    await guard.forRow().send(lookUp, label)
    t.equal(guard.isGone, isFound, code)
    t.strictSame(end.decided, isFound ? { cause: 'target-gone', participant: 'x', side: 'reference' } : undefined)
  }
})

t.test('a request with the answer 408 is sent again once', async (t) => {
  const { guard, sent } = guarded([answered(408), answered(200)], [])
  t.equal((await guard.forRow().send(submit, label)).response?.status, 200)
  const always = guarded([answered(408)], [])
  t.equal((await always.guard.forRow().send(submit, label)).response?.status, 408)
  t.strictSame([sent.length, always.sent.length], [2, 2])
})

t.test('a path with repeated timeouts is sent again if no path is skipped', async (t) => {
  const { guard, sent } = guarded([failed('timeout')], [answered(200)], { skipsSilentPaths: false })
  for (let index = 0; index < 6; index += 1) await guard.forRow().send(submit, label)
  t.equal(sent.length, 6)
})

t.test('a path with repeated timeouts is no longer sent', async (t) => {
  const { guard, sent } = guarded([failed('timeout')], [answered(200)])
  const rows = Array.from({ length: 6 }, () => guard.forRow())
  for (const row of rows) await row.send(submit, label)
  t.equal(sent.length, 3)
  t.strictSame(
    rows.map(({ disruption }) => disruption === undefined),
    [true, true, true, false, false, false],
  )
  t.match(rows[5]?.disruption?.reason, { code: 'path-silent', path: /submit-and-wait$/, times: 3 })
  await rows[5]?.send(submit, { ...label, role: 'restore' })
  t.equal(sent.length, 4, 'restoring steps are always sent')
  const { guard: provisioning, sent: once } = guarded([failed('timeout')], [answered(200)])
  for (let time = 0; time < 3; time += 1) await provisioning.provisioning.send(submit, label)
  t.equal(once.length, 1)
  t.match(await provisioning.provisioning.send(submit, label), {
    problem: { message: /submit-and-wait timed out once$/ },
  })
  const row = provisioning.forRow()
  await row.send(submit, label)
  t.match(row.disruption?.reason, { code: 'path-silent', times: 1 })
})

t.test('outcomes determine availability, possible effects and retry requests', async (t) => {
  const isAvailable: [Outcome, boolean][] = [
    [answered(200), true],
    [answered(500), true],
    [answered(502), false],
    [failed('reset'), false],
    [failed('malformed'), true],
  ]
  for (const [outcome, expected] of isAvailable) t.equal(!isUnavailable(outcome), expected, JSON.stringify(outcome))
  const effects: [string, string, Outcome, boolean][] = [
    ['POST', submit.path, answered(200), true],
    ['POST', submit.path, answered(400), false],
    ['POST', submit.path, answered(503), true],
    ['POST', submit.path, failed('reset'), true],
    ['POST', submit.path, failed('refused'), false],
    ['POST', `${lookUp.path}?a=b`, failed('reset'), false],
    ['GET', '/v2/parties/x', failed('reset'), false],
    ['POST', '/v2/parties', failed('reset'), true],
    ['POST', '/v2/package-vetting/update', failed('timeout'), true],
    ['POST', '/v2/package-vetting/list', failed('timeout'), false],
    ['POST', '/v2/contracts-of-others', failed('timeout'), true],
  ]
  for (const [method, path, outcome, expected] of effects) {
    t.equal(mayHaveHadEffect(method, path, outcome), expected, `${method} ${path} ${JSON.stringify(outcome)}`)
  }
  const waits: [string | undefined, number | undefined][] = [
    ['2', 2000],
    ['Thu, 01 Jan 1970 00:00:03 GMT', 2000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ]
  for (const [value, expected] of waits) {
    const outcome = answered(429, value === undefined ? [] : [['retry-after', value]])
    t.strictSame(readRetryRequest(outcome, 1000), { milliseconds: expected }, String(value))
  }
  const body = '{"code":"SUBMISSION_ALREADY_IN_FLIGHT"}'
  const inFlight = { response: { status: 429, headers: [], body: { text: body, bytes: body.length } } }
  t.equal(readRetryRequest(inFlight, 1000, new Set(['SUBMISSION_ALREADY_IN_FLIGHT'])), undefined, 'a wrong status')
  t.ok(readRetryRequest(inFlight, 1000), 'a code of no profile')
  t.equal(readRetryRequest(answered(503, [['retry-after', '2']]), 1000), undefined, 'another status requests no retry')
})
