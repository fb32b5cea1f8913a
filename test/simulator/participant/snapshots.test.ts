/** Saved states are complete. */
import { SignJWT } from 'jose'
import t from 'tap'
import type { JsonObject } from '../../../lib/json/json.js'
import { IdentityProviders } from '../../../simulator/auth/identity-providers.js'
import { Users } from '../../../simulator/auth/users.js'
import { endpoints } from '../../../simulator/endpoints.js'
import { operationName } from '../../../simulator/http/endpoint.js'
import type { Clock } from '../../../simulator/ledger/state/clock.js'
import { createEntropy } from '../../../simulator/ledger/state/entropy.js'
import { firstState as firstLedgerState, type LedgerState } from '../../../simulator/ledger/state/ledger-state.js'
import type { Submission } from '../../../simulator/ledger/transactions/transaction.js'
import { type ParticipantState, savedParts } from '../../../simulator/participant/saved-parts.js'
import { encodeValue, stateIn } from '../../../simulator/participant/state-document.js'
import { createParticipant, type SimulatorOptions } from '../../../simulator/simulator.js'
import { ledgerEnvironment } from '../../support/ledgers/ledger-environment.js'
import { ping, submitPath } from '../../support/ledgers/simulator-environment.js'
import { stillClock } from '../../support/ledgers/still-clock.js'
import type { WireRequest } from '../../support/servers/wire.js'
import { membersOf } from './members-of.js'
import { answers, readRequests, requestsAfter } from './read-requests.js'
import { isSameAfterSave } from './same-after-save.js'
import { control, savedIn, started } from './saved-state.js'
import { fill } from './state-filling.js'

const fillings: readonly (SimulatorOptions & { file: string })[] = [
  { file: 'request-sequences-model.json' },
  { file: 'request-sequences-two-synchronizers.json', protocolVersion: 34, synchronizers: 2 },
]

const firstState: ParticipantState = {
  ledger: firstLedgerState({ protocolVersion: 35, synchronizers: 1 }, createEntropy('')),
  users: Users.first().state,
  identityProviders: new Map(),
  entropy: { seed: '', counter: 0 },
  clock: { reading: 0n, offset: 0n, frozen: false },
}

const print = (value: unknown): string => JSON.stringify(encodeValue(value))

function printedMembers(state: ParticipantState): Map<string, string> {
  const { users, identityProviders, ...parts } = savedParts(state)
  const members = Object.entries(parts).flatMap(([part, found]) =>
    Object.entries(found).map(([name, value]): [string, string] => [`${part}.${name}`, print(value)]),
  )
  return new Map([['users', print(users)], ['identityProviders', print(identityProviders)], ...members])
}

const submission = ({ userId, commandId, actAs }: Pick<Submission, 'userId' | 'commandId' | 'actAs'>): WireRequest => {
  const [party = ''] = actAs
  const createArguments = { id: 'again', initiator: party, responder: party }
  const commands = [{ CreateCommand: { templateId: ping, createArguments } }]
  return { path: submitPath, body: JSON.stringify({ commands, userId, commandId, actAs }) }
}

/** Each recorded change again, and a new one. */
const submissions = ({ completions, parties }: LedgerState): WireRequest[] => [
  ...completions.map((completion) => submission(completion.submission)),
  ...[...parties.keys()].map((party) => submission({ userId: 'user', commandId: 'new', actAs: [party] })),
]

const submitFor = 'POST /v2/commands/submit-and-wait-for'

const notReading = [
  ...['submit-and-wait', ...['-transaction', '-transaction-tree'].map((kind) => `${submitFor}${kind}`)],
  ...['POST /v2/commands/async/submit', `${submitFor}-reassignment`, 'POST /v2/commands/async/submit-reassignment'],
  ...['prepare', 'execute', 'execute-and-wait', 'execute-and-wait-for-transaction'],
  ...['update-package-vetting', 'livez', 'readyz', 'version', 'GET /docs/openapi', 'allocate-party'],
  'PATCH /v2/parties/{party}',
  ...['generate-external-topology', 'allocate-external-party', 'create-user', 'update-user', 'delete-user'],
  ...['grant-rights', 'revoke-rights', 'GET /v2/authenticated-user', 'POST /v2/idps', 'PATCH /v2/idps/{provider}'],
  ...['DELETE /v2/idps/{provider}', 'PATCH /v2/users/{user}/identity-provider-id'],
  ...['GET /v2/state/active-contracts-page', 'upload-dar', 'POST /v2/packages', 'POST /v2/dars/validate'],
  ...['GET /v2/package-vetting', 'GET /docs/asyncapi'],
]

function uncovered(requests: readonly WireRequest[]): string[] {
  const left = endpoints.filter(({ method, path }) => {
    const form = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}(\\?|$)`)
    return !requests.some((request) => (request.method ?? 'POST').toLowerCase() === method && form.test(request.path))
  })
  return left.map(operationName)
}

t.test('a restored participant answers and continues like the saved one', async (t) => {
  const first = printedMembers(firstState)
  const untouched = new Set(first.keys())
  const sent = new Set<WireRequest>()
  for (const { file, ...options } of fillings) {
    const clock = stillClock()
    const original = await started(t, { ...options, clock, answerLimit: 500 })
    await fill({ wire: original, tokens: {}, secret: '', wait: (milliseconds) => clock.advance(milliseconds) }, file)
    await control(original, 'POST /clock/advance', '{"seconds": 1000}')
    await control(original, 'POST /clock/freeze')
    const saved = await savedIn(original)
    const state = stateIn(saved)
    for (const [name, printed] of printedMembers(state)) if (printed !== first.get(name)) untouched.delete(name)

    const text = JSON.stringify(saved)
    t.ok(await isSameAfterSave(await createParticipant({ state: text })), `${file}: the same objects`)
    const restored = await started(t, { state: text, clock: stillClock(), answerLimit: 500 })
    t.equal((await savedIn(restored)).digest, saved.digest, `${file}: the same state`)
    const reads = readRequests(state.ledger, state.users.keys())
    for (const read of reads) sent.add(read)
    const requests = [...reads, ...submissions(state.ledger), ...requestsAfter(state.ledger.end)]
    const expected = await answers(original, requests)
    const found = await answers(restored, requests)
    t.strictSame(
      found.find((answer, index) => answer !== expected[index]),
      undefined,
      `${file}: the same answers`,
    )
    for (const answer of expected.slice(0, reads.length)) t.match(answer, /\n(200|404 .*NOT_FOUND)/)
    t.ok(
      expected.some((answer) => answer.includes('DUPLICATE_COMMAND')),
      'earlier changes are duplicates',
    )
    t.ok(
      expected.some((answer) => answer.startsWith(submitPath) && answer.includes('\n200')),
      'new changes are committed',
    )
  }
  t.strictSame(uncovered([...sent]), notReading, 'all read operations are called (see read-requests.ts), and no others')
  t.strictSame([...untouched], [], 'a member that no filling reaches (see state-filling.ts) is not tested')
})

t.test('stateful objects have no other members than their state', (t) => {
  const { ledger } = ledgerEnvironment()
  const kept = new Set<unknown>(Object.values(ledger.state))
  // Clock and ids are separate parts. Submissions in flight, waiting readers and decisions are not saved.
  const { clock, entropy, inFlight, changes, shared, state, decisions } = ledger
  for (const apart of [clock, entropy, inFlight, changes, shared, state, decisions, decisions.changeId]) kept.add(apart)
  const users = Users.first()
  const identityProviders = new IdentityProviders(new Map())
  const keepers: [title: string, keeper: object, own: readonly unknown[]][] = [
    ['Ledger', ledger, []],
    ['Users', users, [users.state]],
    ['IdentityProviders', identityProviders, [identityProviders.state]],
  ]
  for (const [title, keeper, own] of keepers) {
    const members = membersOf(keeper)
    t.ok(members.size > 0, `${title} has members`)
    const lost = [...members].filter(([, value]) => !kept.has(value) && !own.includes(value)).map(([name]) => name)
    t.strictSame(lost, [], `${title}: snapshots contain only its state (see ledger-state.ts)`)
  }
  t.end()
})

t.test('a change of the members of a state changes the version', async (t) => {
  const { version, state } = await savedIn(await started(t))
  const parts = Object.entries(state as Record<string, JsonObject>) // its parts are objects
  const members = parts.map(([part, value]) => [
    part,
    ...Object.entries(value).map(([name, one]) => `${name} ${kindOf(one)}`),
  ])
  const ofLedger = [
    ...['participantId string', 'protocolVersion number', 'synchronizers array', 'parties $map'],
    ...['externalParties $map', 'takenUuids $map', 'preparedReaders $map', 'end number', 'packages array'],
    ...['acceptedChanges $map', 'reassignments $map'],
  ]
  t.strictSame(
    [version, ...members],
    [
      6,
      ['users', '$map array'],
      ['identityProviders', '$map array'],
      ['entropy', 'seed string', 'counter number'],
      ['clock', 'reading $integer', 'offset $integer', 'frozen boolean'],
      ['ledger', ...ofLedger],
    ],
    'increase `version` of state-document.ts with a change of this list',
  )
})

/** The mark of a value, or its JSON type. */
const kindOf = (value: unknown): string =>
  Object.keys(Object(value)).find((name) => name.startsWith('$')) ?? (Array.isArray(value) ? 'array' : typeof value)

t.test('takes, lists, restores and deletes snapshots by name', async (t) => {
  const wire = await started(t, { seed: 'snapshots' })
  const party = async (hint: string): Promise<number> => (await wire.post('/v2/parties', { partyIdHint: hint })).status
  const end = async (): Promise<unknown> => (await wire.send({ method: 'GET', path: '/v2/state/ledger-end' })).text
  await party('alice')
  const early = await end()
  t.match((await control(wire, 'POST /snapshots/early')).json(), { name: 'early', savedAt: /^20/ })
  await party('bob')
  const late = await end()
  await control(wire, 'POST /snapshots/late')
  t.match((await control(wire, 'POST /snapshots/early/restore')).json(), { ledgerEnd: 8, participantId: /^sandbox::/ })
  t.equal(await end(), early)
  t.equal(await party('bob'), 200, 'bob does not exist')
  await control(wire, 'POST /snapshots/early/restore')
  t.equal(await end(), early, 'later changes do not affect a restored snapshot')
  await control(wire, 'POST /snapshots/late/restore')
  t.equal(await end(), late)
  const document = (await control(wire, 'GET /state')).text
  await control(wire, 'POST /snapshots/early/restore')
  await control(wire, 'PUT /state', document)
  t.equal(await end(), late)
  t.match((await control(wire, 'DELETE /snapshots/late')).json(), { snapshots: [{ name: 'early' }] })

  const mistakes: [what: string, status: number, code: string, message: RegExp][] = [
    ['POST /snapshots/erly/restore', 404, 'UNKNOWN_SNAPSHOT', /did you mean "early"\?/],
    ['POST /snapshots/late/restore', 404, 'UNKNOWN_SNAPSHOT', /allowed: early/],
    ['DELETE /snapshots/late', 404, 'UNKNOWN_SNAPSHOT', /unknown snapshot "late"/],
    ['POST /snapshots/a%20b', 400, 'INVALID_NAME', /letters, digits/],
    [`POST /snapshots/${'x'.repeat(101)}`, 400, 'INVALID_NAME', /1 to 100/],
  ]
  for (const [what, status, code, message] of mistakes) {
    const answer = await control(wire, what)
    t.equal(answer.status, status, what)
    t.match(answer.json(), { code, message })
  }
  for (let count = 1; count < 100; count += 1) await control(wire, `POST /snapshots/${count}`)
  t.match((await control(wire, 'POST /snapshots/one-too-many')).json(), { code: 'TOO_MANY_SNAPSHOTS' })
  t.match(
    (await control(wire, 'POST /snapshots/early')).json(),
    { name: 'early' },
    'an existing snapshot can be replaced',
  )
})

t.test('a reset removes all changes and repeats the ids', async (t) => {
  const wire = await started(t, { seed: 'reset', clock: stillClock() })
  const faults = async (): Promise<string> => (await control(wire, 'GET /faults')).text
  const allocated = async (): Promise<string> => (await wire.post('/v2/parties', { partyIdHint: 'alice' })).text
  const before = await faults()
  const first = await allocated()
  await control(wire, 'POST /snapshots/kept')
  await control(wire, 'POST /faults', '{"kind": "reset", "operation": "livez"}')
  await control(wire, 'POST /clock/set', '{"now": "2100-01-01T00:00:00Z"}')
  await control(wire, 'POST /clock/freeze')
  await wire.post('/v2/users', { user: { id: 'ann' } })
  t.match((await control(wire, 'POST /reset')).json(), { ledgerEnd: 6, now: /^2030-/ })
  t.equal(await faults(), before)
  t.match((await control(wire, 'GET /clock')).json(), { frozen: false })
  t.strictSame((await control(wire, 'GET /journal')).json(), { exchanges: [], seen: 0 })
  t.equal((await wire.send({ method: 'GET', path: '/v2/users/ann' })).status, 404)
  t.equal(await allocated(), first)
  t.equal((await wire.send({ method: 'GET', path: '/livez' })).status, 200)
  t.match((await control(wire, 'GET /snapshots')).json(), { snapshots: [{ name: 'kept' }] })

  const from = await savedIn(wire)
  const restarted = await started(t, { state: JSON.stringify(from) })
  await restarted.post('/v2/parties', { partyIdHint: 'bob' })
  t.match((await control(restarted, 'POST /reset')).json(), { ledgerEnd: stateIn(from).ledger.end })
})

t.test('a submission in progress is committed to the state in which it started, not to the restored one', async (t) => {
  let waits: () => void = () => undefined
  const waiting = new Promise<void>((resolve) => {
    waits = resolve
  })
  const base = stillClock()
  const reach: Clock['reach'] = async (_time, signal) => {
    waits()
    await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }))
  }
  const wire = await started(t, { clock: { ...base, reach } })
  await wire.post('/v2/parties', { partyIdHint: 'alice' })
  const { ledger } = stateIn(await savedIn(wire))
  await control(wire, 'POST /snapshots/before')
  const { path, body } = submission({ userId: 'user', commandId: 'c', actAs: [...ledger.parties.keys()] })
  const late = { ...(JSON.parse(String(body)) as JsonObject), minLedgerTimeAbs: '2040-01-01T00:00:00Z' } // created above
  const landed = wire.post(path, late)
  await waiting
  await control(wire, 'POST /snapshots/before/restore')
  await control(wire, 'POST /clock/set', '{"now": "2040-01-01T00:00:00Z"}')
  t.equal((await landed).status, 200)
  const after = stateIn(await savedIn(wire)).ledger
  t.strictSame([after.transactions.size, after.end], [0, ledger.end])
  t.equal(
    (await wire.post(path, { ...late, minLedgerTimeAbs: '2039-01-01T00:00:00Z' })).status,
    200,
    'its change id is unused',
  )
})

t.test('accepts tokens for the restored participant', async (t) => {
  const secret = 'a secret of thirty-two bytes and more'
  const token = (participant: string): Promise<string> => {
    const exp = Math.floor(Date.now() / 1000) + 200
    const claims = { sub: 'participant_admin', aud: `https://daml.com/jwt/aud/participant/${participant}`, exp }
    return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret))
  }
  const [wire, other] = [await started(t, { authorization: `hs256:${secret}` }), await started(t)]
  const states = [await savedIn(wire), await savedIn(other)]
  for (const state of states) {
    await control(wire, 'PUT /state', JSON.stringify(state))
    const statuses: number[] = []
    for (const saved of states) {
      const authorization = `Bearer ${await token(stateIn(saved).ledger.participantId)}`
      statuses.push((await wire.send({ method: 'GET', path: '/v2/users', headers: { authorization } })).status)
    }
    t.strictSame(
      statuses,
      states.map((saved) => (saved === state ? 200 : 403)),
    )
  }
})
