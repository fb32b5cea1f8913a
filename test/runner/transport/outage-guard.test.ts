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
  ...{ step: 0, role: 'act', request: { method: 'POST', url: '', headers: [] } },
  ...{ startedAt: new Date().toISOString(), milliseconds: 1 },
  ...outcome,
})
const label = { step: 0, role: 'act' } as const
const submit = { method: 'POST', path: '/v2/commands/submit-and-wait', headers: [], body: undefined }
const lookUp = { ...submit, path: '/v2/contracts/contract-by-id' }

/** A guard over answers that come one after the other, the last one for ever; `probes` likewise. */
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

t.test('an answer goes through, and tells of nothing', async (t) => {
  const { guard } = guarded([answered(200)], [])
  const row = guard.forRow()
  t.equal((await row.send(submit, label)).response?.status, 200)
  t.equal(row.disruption, undefined)
  t.strictSame(guard.outages, [])
})

t.test('where the version is answered, a missing answer is the row’s own affair', async (t) => {
  for (const outcome of [failed('reset'), failed('timeout'), answered(503), failed('malformed')]) {
    const { guard } = guarded([outcome], [answered(200)])
    const row = guard.forRow()
    t.match(await row.send(submit, label), outcome)
    t.equal(row.disruption, undefined)
    t.strictSame(guard.outages, [])
  }
})

t.test('where it is not, the run waits for the target and the row knows from when on it was gone', async (t) => {
  const told: unknown[] = []
  const { guard } = guarded([failed('reset')], [failed('refused'), answered(502), answered(200)], {
    told: (outage) => told.push({ ...outage }),
  })
  const row = guard.forRow()
  await row.send(lookUp, label)
  t.match(row.disruption, {
    reason: /^the target did not answer from \d\d:\d\d:\d\d on, until \d\d:\d\d:\d\d$/,
    repeatable: true,
  })
  t.match(guard.outages, [{ from: String, to: String }])
  t.match(told, [{ to: undefined }, { to: String }])
})

t.test('what may have had an effect is not to be repeated', async (t) => {
  const { guard } = guarded([answered(200), failed('refused')], [answered(200)])
  const row = guard.forRow()
  await row.send(submit, label)
  await row.send(lookUp, label)
  t.match(row.disruption, { repeatable: false })
  const prepared = guarded([answered(200), failed('reset'), failed('refused')], [failed('refused'), answered(200)])
  const preparing = prepared.guard.forRow()
  for (const _ of [1, 2]) await preparing.send(submit, { ...label, role: 'arrange' })
  await preparing.send(lookUp, label)
  t.match(preparing.disruption, { repeatable: true }, 'but for what prepares the row, which is done anew')
  const later = guarded([failed('refused'), answered(200)], [answered(200)])
  const other = later.guard.forRow()
  await other.send(lookUp, label)
  t.match(other.disruption, { repeatable: true })
  await other.send(submit, label)
  t.match(other.disruption, { repeatable: false }, 'what comes afterwards counts as well')
})

t.test('a target that does not come back ends the run, and nothing more is sent', async (t) => {
  const { guard, sent, end } = guarded([failed('reset')], [failed('refused')], { patience: 0 })
  const row = guard.forRow()
  await row.send(lookUp, label)
  t.match(end.decided, {
    cause: 'target-gone',
    sentence: /^The target did not answer from .* on, and did not come back\.$/,
  })
  const before = sent.length
  const other = guard.forRow()
  t.match(await other.send(submit, { ...label, role: 'restore' }), { problem: { code: 'refused' } })
  t.match(other.disruption, { reason: /^the target did not answer from/, repeatable: true })
  t.equal(sent.length, before)
})

t.test('several rows wait for the same outage, and new ones until it is over', async (t) => {
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

t.test('before the target has worked nothing is waited for', async (t) => {
  const transport: Transport = { send: async () => evidenceOf(failed('refused')) }
  const guard = new OutageGuard(transport, {
    probe: () => t.fail('nobody asks') as never, // never called
    patience: 60_000,
    end: new EarlyEnd(),
  })
  t.match(await guard.provisioning.send(lookUp, label), failed('refused'))
})

t.test('429 with Retry-After is waited for, and not for ever', async (t) => {
  const soon = answered(429, [['Retry-After', '0']])
  const { guard, sent } = guarded([soon, answered(200)], [])
  const row = guard.forRow()
  t.equal((await row.send(submit, label)).response?.status, 200)
  t.equal(sent.length, 2)
  t.equal(row.disruption, undefined)
  const patient = guarded([answered(429, [['retry-after', '3600']])], [])
  const blocked = patient.guard.forRow()
  t.equal((await blocked.send(submit, label)).response?.status, 429)
  t.match(blocked.disruption, { reason: /come back later \(429\)/, repeatable: true })
  t.equal(patient.sent.length, 1, 'an hour is not begun')
  let clock = 0
  const now = () => {
    clock += 3000
    return clock
  }
  const slow = guarded([soon], [], { now })
  const late = slow.guard.forRow()
  await late.send(submit, label)
  t.match(late.disruption, { reason: /come back later/ })
  t.ok(slow.sent.length < 8, 'what its answers take is a part of it')
  let later = 0
  const faster = () => {
    later += 500
    return later
  }
  const plain = guarded([answered(429), answered(200)], [], { now: faster })
  const own = plain.guard.forRow()
  t.equal((await own.send(submit, label)).response?.status, 200, 'without a time a moment is waited')
  t.equal(own.disruption, undefined)
  const never = guarded([answered(429)], [], { now: faster })
  const unsaid = never.guard.forRow()
  t.equal((await unsaid.send(submit, label)).response?.status, 429)
  t.match(unsaid.disruption, { reason: /come back later \(429\), for more than 5 s/, repeatable: true })
})

t.test('a run that is ended blames nobody for a 429, and puts back all the same', async (t) => {
  const soon = answered(429, [['Retry-After', '0']])
  const { guard, sent, end } = guarded([soon, soon, answered(200)], [])
  end.decide({ cause: 'interrupted', sentence: 'It was ended.' })
  const row = guard.forRow()
  await row.send(submit, label)
  t.match(row.disruption, { reason: /come back later \(429\), and the run was ended meanwhile$/ })
  t.equal((await row.send(submit, { ...label, role: 'restore' })).response?.status, 200)
  t.equal(sent.length, 3, 'the path is not given up for it')
})

t.test('what puts something back is sent again once the target is back', async (t) => {
  const { guard, sent } = guarded([failed('reset'), answered(200)], [failed('refused'), answered(200)])
  const row = guard.forRow()
  t.match(await row.send(submit, { ...label, role: 'restore' }), answered(200))
  t.equal(row.disruption, undefined)
  t.equal(sent.length, 2)
  const gone = guarded([failed('reset')], [failed('refused'), answered(200), failed('refused'), answered(200)])
  const other = gone.guard.forRow()
  await other.send(submit, { ...label, role: 'restore' })
  t.match(other.disruption, { reason: /^the target did not answer from/ })
  t.equal(gone.sent.length, 2, 'and not for ever')
})

t.test('a target that comes back as another one has gone', async (t) => {
  const { guard, sent, end } = guarded([failed('reset')], [failed('refused'), answered(200)], {
    stranger: async () => 'came back as another participant (x)',
  })
  const row = guard.forRow()
  await row.send(lookUp, label)
  t.match(end.decided, {
    cause: 'target-gone',
    sentence: /did not answer from .* on, and came back as another participant \(x\)\.$/,
  })
  t.match(guard.outages, [{ from: String, to: undefined }])
  await row.send(submit, { ...label, role: 'restore' })
  t.equal(sent.length, 1, 'nothing is changed at a stranger')
})

t.test('a request that has not arrived in time is sent once more', async (t) => {
  const { guard, sent } = guarded([answered(408), answered(200)], [])
  t.equal((await guard.forRow().send(submit, label)).response?.status, 200)
  const always = guarded([answered(408)], [])
  t.equal((await always.guard.forRow().send(submit, label)).response?.status, 408)
  t.strictSame([sent.length, always.sent.length], [2, 2])
})

t.test('what is never answered in time is not asked for by every row', async (t) => {
  const { guard, sent } = guarded([failed('timeout')], [answered(200)])
  const rows = Array.from({ length: 6 }, () => guard.forRow())
  for (const row of rows) await row.send(submit, label)
  t.equal(sent.length, 3)
  t.strictSame(
    rows.map(({ disruption }) => disruption === undefined),
    [true, true, true, false, false, false],
  )
  t.match(rows[5]?.disruption?.reason, 'submit-and-wait was not answered in time again and again')
  await rows[5]?.send(submit, { ...label, role: 'restore' })
  t.equal(sent.length, 4, 'what restores is sent in any case')
  const { guard: provisioning, sent: once } = guarded([failed('timeout')], [answered(200)])
  for (let time = 0; time < 3; time += 1) await provisioning.provisioning.send(submit, label)
  t.equal(once.length, 1)
})

t.test('what tells that nobody is there, and what may have had an effect', async (t) => {
  const isThere: [Outcome, boolean][] = [
    [answered(200), true],
    [answered(500), true],
    [answered(502), false],
    [failed('reset'), false],
    [failed('malformed'), true],
  ]
  for (const [outcome, expected] of isThere) t.equal(!isUnavailable(outcome), expected, JSON.stringify(outcome))
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
    const told = answered(429, value === undefined ? [] : [['retry-after', value]])
    t.strictSame(readRetryRequest(told, 1000), { milliseconds: expected }, String(value))
  }
  t.equal(readRetryRequest(answered(503, [['retry-after', '2']]), 1000), undefined, 'another status asks for nothing')
})
