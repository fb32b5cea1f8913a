/** The restore of vetting and rights. */
import { join } from 'node:path'
import t from 'tap'
import type { JsonValue } from '../../../lib/json/json.js'
import { permissionNames } from '../../../record/types/effects.js'
import { ChangeJournal, leftJournals } from '../../../runner/changes/journal.js'
import { restoreLeftoverState } from '../../../runner/changes/leftover-state.js'
import { changesVetting, hasRestored } from '../../../runner/changes/row-changes.js'
import {
  differenceInWords,
  readVetting,
  type VettedPackage,
  vettingDifferences,
} from '../../../runner/changes/vetting-state.js'
import { withdrawRights } from '../../../runner/changes/withdraw-rights.js'
import type { Plan } from '../../../runner/plan/plan.js'
import type { ExaminedTarget } from '../../../runner/preflight/examine-target.js'
import type { RunOptions } from '../../../runner/preflight/run-options.js'
import type { StartedSession } from '../../../runner/preflight/start-session.js'
import type { Caller } from '../../../runner/provision/caller.js'
import { RunChanges } from '../../../runner/run/run-changes.js'
import { TargetError, TargetRejection } from '../../../runner/target/target.js'

const entry = (packageId: string, more: Partial<VettedPackage> = {}): VettedPackage => ({
  packageId,
  packageName: `name-${packageId}`,
  packageVersion: '1.0.0',
  from: undefined,
  until: undefined,
  ...more,
})
const header = { run: 'abcd', url: 'http://target', participantId: 'participant', at: '2026-01-01T00:00:00Z' }
const found = { watched: ['a', 'b', 'c'], vetting: { one: [entry('a'), entry('b')] } }

function participant(vetted: VettedPackage[], rejectsUpdates = false) {
  let current = vetted
  const updates: unknown[] = []
  const listed = ({ from, until, ...one }: VettedPackage) => ({
    ...one,
    validFromInclusive: from ?? null,
    validUntilExclusive: until ?? null,
  })
  const call: Caller = async (operation, body) => {
    if (operation === 'list-vetted-packages') return { vettedPackages: [{ packages: current.map(listed) }] }
    updates.push(body)
    if (rejectsUpdates) throw new TargetError('no')
    current = found.vetting.one
    return {}
  }
  return { call, updates }
}

const place = { participantId: 'participant', synchronizerIds: ['one'], url: 'http://target' }
const everything = new Set(permissionNames)

const repaired = async (results: string, call: Caller, at = place) =>
  restoreLeftoverState(await leftJournals(results), at, call, everything)

async function killed(results: string): Promise<void> {
  const journal = await ChangeJournal.create(join(results, 'killed'), header)
  await journal.recordVetting(found)
  await journal.recordChange('ROW/a')
  await journal.close(false)
}

t.test('restores the vetting with one update, and removes the journal', async (t) => {
  const results = t.testdir()
  await killed(results)
  const { call, updates } = participant([entry('b', { until: '2090-01-01T00:00:00Z' }), entry('c')])
  const { repaired: sentences, left } = await repaired(results, call)
  t.strictSame(left, [])
  t.match(sentences, [
    /^The interrupted run abcd \(2026-01-01 00:00\) changed the vetting: name-a 1.0.0 is not vetted, but was vetted before\. The vetting is restored\.$/,
    /name-b 1.0.0 is vetted until 2090-01-01T00:00:00Z, but was vetted without bounds before/,
    /name-c 1.0.0 is vetted, but was not vetted before/,
  ])
  const named = (packageId: string) => [{ packageId }]
  t.match(updates, [
    {
      dryRun: false,
      synchronizerId: 'one',
      changes: [
        { operation: { Vet: { value: { packages: named('a'), newValidUntilExclusive: null } } } },
        { operation: { Vet: { value: { packages: named('b'), newValidFromInclusive: null } } } },
        { operation: { Unvet: { value: { packages: named('c') } } } },
      ],
    },
  ])
  t.strictSame(await leftJournals(results), [])
})

t.test('changes nothing on another participant, or without leftover state', async (t) => {
  const results = t.testdir()
  await killed(results)
  const { call, updates } = participant([])
  t.strictSame(await repaired(results, call, { ...place, participantId: 'other' }), {
    repaired: [],
    left: [],
  })
  t.equal((await leftJournals(results)).length, 1)
  const same = participant(found.vetting.one)
  t.strictSame(await repaired(results, same.call), { repaired: [], left: [] })
  t.strictSame([...updates, ...same.updates], [])
  t.strictSame(await leftJournals(results), [])
})

t.test('reports a failed restore, and keeps the journal', async (t) => {
  const results = t.testdir()
  await killed(results)
  const { left } = await repaired(results, participant([], true).call)
  t.match(left, [/^The interrupted run abcd .* left a changed vetting, and it is not restored: no$/])
  t.equal((await leftJournals(results)).length, 1)
})

t.test('compares instants by value, and ignores malformed packages', async (t) => {
  const wanted = { one: [entry('a', { from: '2000-01-01T00:00:00Z' })] }
  t.strictSame(vettingDifferences(wanted, { one: [entry('a', { from: '2000-01-01T00:00:00.000Z' })] }), [])
  const [changed] = vettingDifferences(wanted, { one: [entry('a')] })
  t.equal(
    changed && differenceInWords(changed),
    'name-a 1.0.0 is vetted without bounds, but was vetted from 2000-01-01T00:00:00Z before',
  )
  for (const nonsense of [null, {}, { vettedPackages: 7 }, { vettedPackages: [{ packages: [null, 7, 'x'] }] }]) {
    t.strictSame(await readVetting('p', ['one'], new Set(), async () => nonsense), { one: [] })
  }
})

t.test('detects rows that change the vetting, and rows that restored it', async (t) => {
  const step = (role: 'act' | 'restore', json: object) => ({
    name: role,
    role,
    operation: 'update-package-vetting',
    actor: 'administrator',
    capture: {},
    expectations: [],
    source: { file: '', line: 1 },
    request: { method: 'POST', path: '', headers: {}, body: { json: { ...json } } },
  })
  const rowOf = (impact: 'read' | 'topology', ...steps: ReturnType<typeof step>[]) => ({ impact, steps })
  t.equal(changesVetting(rowOf('topology')), true)
  t.equal(changesVetting(rowOf('read', step('act', { dryRun: true }))), false)
  t.equal(changesVetting(rowOf('read', step('act', {}))), true)
  const row = rowOf('topology', step('act', {}), step('restore', {}))
  const exchange = (index: number, status: number) => ({
    step: index,
    role: 'restore' as const,
    request: { method: '', url: '', headers: [] },
    response: { status, headers: [], body: { bytes: 0 } },
    startedAt: '',
    milliseconds: 0,
  })
  t.equal(hasRestored(row, [exchange(0, 200), exchange(1, 200)]), true)
  t.equal(hasRestored(row, [exchange(0, 200), exchange(1, 503)]), false)
  t.equal(hasRestored(row, [exchange(0, 200)]), false)
  const refused = rowOf('read', step('act', {}))
  t.equal(hasRestored(refused, [exchange(0, 400)]), true)
  t.equal(hasRestored(refused, [exchange(0, 200)]), false, 'an accepted change without a restore step')
  t.equal(hasRestored(rowOf('read', step('act', { dryRun: true })), [exchange(0, 200)]), true)
})

/** The changes of a run whose only row changes the vetting; `leave` disconnects the participant. */
async function watched(folder: string) {
  let isGone = false
  const { call } = participant(found.vetting.one)
  const restoreAs =
    () =>
    async (...given: Parameters<Caller>) => {
      if (isGone) throw new TargetError('no answer')
      return call(...given)
    }
  const plan = { rows: [{ row: { impact: 'topology', steps: [] } }], alone: [] }
  const changes = new RunChanges(
    // Only the members that RunChanges reads.
    { target: { url: '' }, embedded: false, recordFile: join(folder, 'run.ndjson') } as unknown as RunOptions,
    { discovery: place, actorUsers: { provisioner: { user: 'maker' } } } as unknown as ExaminedTarget,
    { id: 'run', restoreAs } as unknown as StartedSession,
  )
  await changes.watchVetting(plan as unknown as Plan)
  const leave = (): void => {
    isGone = true
  }
  return { changes, leave }
}

t.test('reports an unknown vetting state only if a row began a change', async (t) => {
  const folder = t.testdir({ untouched: {}, changed: {} })
  const one = await watched(join(folder, 'untouched'))
  one.leave()
  t.strictSame(await one.changes.settle(), { repaired: [], left: [], withdrawn: [] })
  const other = await watched(join(folder, 'changed'))
  t.equal(await other.changes.rows.begin('ROW/a'), undefined)
  other.leave()
  t.match(await other.changes.settle(), {
    left: [/^The vetting after the rows is unknown: no answer\./],
  })
  t.match(await leftJournals(folder), [{ run: 'run', rows: ['ROW/a'] }])
})

t.test('the result of a restore does not change after the time limit', async (t) => {
  let answer: (rights: JsonValue) => void = () => undefined
  const call: Caller = () =>
    new Promise((resolve) => {
      answer = resolve
    })
  const changes = new RunChanges(
    // Only the members that RunChanges reads.
    { target: { url: '' }, embedded: true, patience: 1 } as unknown as RunOptions,
    { discovery: place, actorUsers: { provisioner: { user: 'maker' } } } as unknown as ExaminedTarget,
    { id: 'run', restoreAs: () => call } as unknown as StartedSession,
  )
  await changes.recordGrant({ user: 'one', isMade: false, rights: [] })
  const settled = await changes.settle()
  answer({ rights: [] })
  await new Promise(setImmediate)
  t.match(settled, { left: [/^The user one may still have rights that the run granted: the time limit is reached\./] })
  t.strictSame(settled.withdrawn, [])
})

t.test('changes no users and parties that the run did not create', async (t) => {
  const right = { kind: { CanActAs: { value: { party: 'bank::1220ab' } } } }
  const foreign: [run: string, user: string, isMade: boolean][] = [
    ['abcd', 'participant_admin', true],
    ['abcd', 'conformance-abce-alice', true],
    ['', 'conformance--alice', true],
    ['abcd', 'participant_admin', false],
  ]
  for (const [run, user, isMade] of foreign) {
    const results = t.testdir()
    const journal = await ChangeJournal.create(join(results, 'planted'), { ...header, run })
    await journal.recordGrant({ user, isMade, rights: [right] })
    await journal.close(false)
    const call: Caller = (operation) => Promise.reject(new Error(`${operation} was called`))
    t.match(await repaired(results, call), {
      repaired: [],
      left: [/: the run did not create it; remove changes\.ndjson from the folder of the run$/],
    })
  }
})

t.test('a user is absent only with the error code USER_NOT_FOUND', async (t) => {
  const given = { user: 'one', isMade: true, rights: [] }
  const answering =
    (code?: string): Caller =>
    async (operation) => {
      if (operation === 'update-user') throw new TargetError('no such path')
      throw new TargetRejection(404, `no operation ${operation}`, code)
    }
  t.equal(await withdrawRights(given, answering('USER_NOT_FOUND'), () => true), false)
  for (const code of [undefined, 'NOT_FOUND'])
    await t.rejects(
      withdrawRights(given, answering(code), () => true),
      { message: 'no operation get-user; no such path' },
    )
  await t.rejects(
    withdrawRights(given, answering(), () => false),
    { message: 'the time limit is reached' },
  )
})

t.test('verifies that granted rights are revoked, and ignores other rights', async (t) => {
  const right = (kind: string, party?: string) => ({
    kind: { [kind]: { value: party === undefined ? {} : { party } } },
  })
  const given = { user: 'one', isMade: false, rights: [right('CanActAs', 'alice')] }
  const listing =
    (...rights: ReturnType<typeof right>[]): Caller =>
    async (operation) =>
      operation === 'list-user-rights' ? { rights } : {}
  const others = [right('CanActAs', 'bob'), right('CanReadAs', 'alice'), right('ParticipantAdmin')]
  t.equal(await withdrawRights(given, listing(...others), () => true), true)
  await t.rejects(
    withdrawRights(given, listing(...others, right('CanActAs', 'alice')), () => true),
    {
      message: 'the user still has {"kind":{"CanActAs":{"value":{"party":"alice"}}}}',
    },
  )
  const made = { ...given, isMade: true }
  const deactivated =
    (rights: JsonValue): Caller =>
    async (operation) =>
      operation === 'get-user' ? { user: { isDeactivated: true } } : { rights }
  t.equal(await withdrawRights(made, deactivated([]), () => true), true)
  await t.rejects(
    withdrawRights(made, deactivated([right('ParticipantAdmin')]), () => true),
    /still has/,
  )
  await t.rejects(
    withdrawRights(made, deactivated('none'), () => true),
    /list-user-rights returned no list of rights/,
  )
})

t.test('revokes journalled rights, and matches the URL if the participant id is unknown', async (t) => {
  const results = t.testdir()
  const { participantId: _, ...nameless } = header
  const journal = await ChangeJournal.create(join(results, 'killed'), nameless)
  await journal.recordGrant({ user: 'conformance-abcd-one', isMade: true, rights: [] })
  await journal.close(false)
  t.match(await leftJournals(results), [
    { given: [{ user: 'conformance-abcd-one', isMade: true, rights: [] }], vetting: {} },
  ])
  const calls: string[] = []
  const call: Caller = async (operation) => {
    calls.push(operation)
    return { user: { isDeactivated: true }, rights: [] }
  }
  t.strictSame(await repaired(results, call, { ...place, url: 'http://another' }), { repaired: [], left: [] })
  t.strictSame(calls, [])
  const none = await restoreLeftoverState(await leftJournals(results), place, call, new Set(['read', 'topology']))
  t.match(none.left, [
    /left the user conformance-abcd-one, and it is not restored: the permission write is missing; run conform clean to restore it$/,
  ])
  t.match(await repaired(results, call), {
    repaired: [
      /^The interrupted run abcd .* left the user conformance-abcd-one\. The user is now deactivated and has no rights\.$/,
    ],
    left: [],
  })
  t.strictSame(calls, ['update-user', 'get-user', 'list-user-rights'])
  t.strictSame(await leftJournals(results), [])
})
