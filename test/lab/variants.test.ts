/** Each variant changes the answers that it names, and passes the rows of the profile `interface`. */
import { once } from 'node:events'
import { request } from 'node:http'
import t, { type Test } from 'tap'
import { operations } from '../../interface/operations.js'
import { combineOverrides, findOverrides } from '../../lab/find-overrides.js'
import { variantsOfArguableLines } from '../../lab/variants/arguable.js'
import { variants } from '../../lab/variants/catalogue.js'
import { variantsOfSpellings } from '../../lab/variants/spellings.js'
import type { JsonObject } from '../../lib/json/json.js'
import { makeSigningKey } from '../../runner/sign/signing-key.js'
import { createParticipant, type SimulatorOptions, serve, startSimulator } from '../../simulator/simulator.js'
import { createPing, execution, externally } from '../support/ledgers/external-environment.js'
import { adminClaims, bearer, right, sign } from '../support/ledgers/guarded-environment.js'
import { submit as callModel, createCommand, exerciseCommand } from '../support/ledgers/model-calls.js'
import {
  createdContract,
  environmentOf,
  lookUpPath,
  simulatorEnvironment,
  submitPath,
  uploadPackages,
} from '../support/ledgers/simulator-environment.js'
import { stillClock } from '../support/ledgers/still-clock.js'
import { judgedBy, judgedTwice, unpassedRows } from '../support/records/judged-by.js'
import { inWords } from '../support/words/in-words.js'
import { variantGroups } from './variant-groups.js'
import { type Probe, probes, submit, vettingPath } from './variant-probes.js'

const secret = 'a secret of thirty-two bytes and more'

/** Visible only with authorization. */
const guarded = [
  ...['everything-hidden', 'anybody-may-look-up', 'anybody-may-hand-in'],
  ...['unknown-users-may-hand-in-and-vet', 'reading-needs-its-own-right'],
]
/** Visible only in times, or in ids that differ in each run. */
const invisible = ['slow-answers', 'bounded-executions-take-their-time', 'own-traces']
/** Visible only on the wire. */
const wireForms = ['bodies-in-pieces', 'headers-in-capitals', 'connections-closed', 'large-bodies-cut-off']
const argued = variantsOfArguableLines.map(({ name }) => name)
const testedApart = [
  ...['executions-answered-with-the-first', 'executions-shown-later'],
  ...[...guarded, ...invisible, ...wireForms, ...argued],
  // In spelling-variants.test.ts.
  ...variantsOfSpellings.map(({ name }) => name),
]

const varied = (names: string | readonly string[]): SimulatorOptions => ({
  overrides: findOverrides({ variants: [names].flat() }),
})

/** Without a name: no variant. */
async function sendProbe(t: Test, name: string | undefined, probe: Probe): Promise<string> {
  const options = { clock: stillClock(), behaviour: 'interface', seed: 'variant' } as const
  const environment = await simulatorEnvironment(t, { ...options, ...varied(name ?? []) })
  const { status, contentType, text } = await probe(environment, t)
  // Keys, and ids that depend on them, differ in each run.
  return `${status} ${contentType} ${text.replace(/[0-9a-f]{16,}/g, 'H').replace(/"traceparent":"[^"]*"/, '')}`
}

t.test('several variants alter a repeated answer in the same way', async (t) => {
  const names = [
    ...['completions-counted-apart', 'duplicates-answered-with-the-first', 'escaped-texts'],
    ...['contract-ids-of-another-form', 'update-ids-of-another-form'],
  ]
  const environment = await simulatorEnvironment(t, { behaviour: 'interface', seed: 'variant', ...varied(names) })
  const first = await submit({ commandId: 'first' })(environment, t)
  const second = await submit({ commandId: 'first' })(environment, t)
  t.equal(second.text, first.text)
  t.match(first.text, '\\u', 'strings are escaped')
  t.match(JSON.parse(first.text), { updateId: /^tx:/ })
})

t.test('each variant changes the answer of its probe', async (t) => {
  t.strictSame(
    [...Object.keys(probes), ...testedApart].sort(),
    variants.map(({ name }) => name).sort(),
    'each variant has a test',
  )
  t.ok(
    variants.every(({ permittedBy }) => permittedBy !== ''),
    'each cites its permission',
  )
  const usualAnswers = new Map<Probe, string>()
  for (const [name, probe] of Object.entries(probes)) {
    const usual = usualAnswers.get(probe) ?? (await sendProbe(t, undefined, probe))
    usualAnswers.set(probe, usual)
    const found = await sendProbe(t, name, probe)
    t.not(found, usual, `${name}: ${usual.slice(0, 200)}`)
  }
})

t.test('a repeated execution returns the first answer', async (t) => {
  const options = { ...varied('executions-answered-with-the-first'), clock: stillClock() }
  const environment = await simulatorEnvironment(t, options)
  const outside = externally(environment)
  const eve = await outside.onboard('eve', [makeSigningKey('ed25519')])
  const body = execution(await outside.prepare(eve.party, createPing(eve)), [eve])
  const first = await environment.wire.post(operations['execute-and-wait-for-transaction'].path, body)
  const second = await environment.wire.post(operations['execute-and-wait-for-transaction'].path, {
    ...body,
    submissionId: 'again',
  })
  t.strictSame([first.status, second.text], [200, first.text])
})

t.test('sends bodies in chunks, and header names in capitals', async (t) => {
  const headersOf = async (names: string[]): Promise<string[]> => {
    const { wire } = await simulatorEnvironment(t, varied(names))
    const rejected = await wire.post(lookUpPath, { contractId: '\u{1f600}' })
    t.match(rejected.json(), { cause: /\u{1f600}/u }, 'a character of several bytes is not altered')
    const [answer] = await once(request(`${rejected.url}${lookUpPath}`, { method: 'POST' }).end('{}'), 'response')
    answer.resume()
    return answer.rawHeaders
  }
  const usual = await headersOf([])
  t.ok(usual.includes('content-length') && usual.includes('content-type'))
  const pieces = await headersOf(['bodies-in-pieces'])
  t.notOk(pieces.includes('content-length'))
  t.ok(pieces.includes('chunked'))
  t.ok((await headersOf(['headers-in-capitals'])).includes('CONTENT-TYPE'))
  t.ok((await headersOf(['connections-closed'])).includes('close'))
})

t.test('an executed transaction appears after a delay', async (t) => {
  const participant = await createParticipant(varied('executions-shown-later'))
  const { interceptor } = participant
  if (!interceptor) throw new Error('the variant has an interceptor')
  const delayed: (() => unknown)[] = []
  participant.interceptor = (stage) => interceptor({ ...stage, later: (_, effect) => void delayed.push(effect) })
  const environment = await environmentOf(t, await serve(participant))
  const outside = externally(environment)
  const eve = await outside.onboard('eve', [makeSigningKey('ed25519')])
  const body = execution(await outside.prepare(eve.party, createPing(eve)), [eve], { submissionId: 'delayed' })
  t.equal((await environment.wire.post(operations.execute.path, body)).status, 200)
  const isShown = async (): Promise<boolean> => {
    const completions = await environment.wire.post('/v2/commands/completions', {
      userId: 'user',
      parties: [eve.party],
      beginExclusive: 0,
    })
    return completions.text.includes('Completion')
  }
  t.notOk(await isShown())
  for (const effect of delayed) effect()
  t.ok(await isShown())
})

t.test('variants of authorization change who may look up, read and vet', async (t) => {
  const statusesOf = async (name?: string): Promise<Record<string, number>> => {
    const admin = bearer(await sign(adminClaims()))
    const environment = await simulatorEnvironment(
      t,
      { ...varied(name ?? []), authorization: `hs256:${secret}` },
      admin,
    )
    const as = async (id: string, rights: JsonObject[]) => {
      await environment.wire.post('/v2/users', { user: { id }, rights: rights.map((kind) => ({ kind })) }, admin)
      return bearer(await sign({ ...adminClaims(), sub: id }))
    }
    const ann = await as('ann', [right('CanActAs', environment.alice), right('CanReadAsAnyParty')])
    const bea = await as('bea', [])
    const ned = await as('ned', [right('CanActAs', environment.alice)])
    const { userId: _, ...own } = environment.submission()
    const { contractId } = await createdContract(environment, own, ann)
    const body = { contractId, queryingParties: [environment.alice] }
    await environment.wire.post(lookUpPath, body, ann)
    const lookUp = await environment.wire.post(lookUpPath, body, bea)
    const reading = await environment.wire.post(
      submitPath,
      { ...own, commandId: 'reading', readAs: [environment.alice] },
      ned,
    )
    const update = (headers: Record<string, string>) =>
      environment.wire.post(vettingPath, { changes: [], dryRun: true }, headers)
    await update(admin)
    const vet = await update(bearer(await sign({ ...adminClaims(), sub: 'stranger' })))
    const anonymous = await environment.wire.post(submitPath, own)
    return { anonymous: anonymous.status, lookUp: lookUp.status, reading: reading.status, vet: vet.status }
  }
  t.strictSame(await statusesOf(), { anonymous: 401, lookUp: 403, reading: 200, vet: 403 })
  t.match(await statusesOf('everything-hidden'), { anonymous: 404, lookUp: 404 })
  t.match(await statusesOf('anybody-may-look-up'), { anonymous: 401, lookUp: 200 })
  t.match(await statusesOf('reading-needs-its-own-right'), { anonymous: 401, reading: 403 })
  t.match(await statusesOf('unknown-users-may-hand-in-and-vet'), { anonymous: 401, vet: 200 })
})

/** Exactly these rows fail by the facts of the reference, and none by the text. */
async function failByFactsAlone(t: Test, url: string, rows: readonly string[]): Promise<void> {
  const ids = new Set(rows)
  const { byFacts, byText } = await judgedTwice(url, { ids })
  t.strictSame(
    unpassedRows(byFacts)
      .map(({ id }) => id)
      .sort(),
    rows.toSorted(),
  )
  t.strictSame(unpassedRows(byText), [])
}

t.test('arguable variants fail rows by the facts of the reference, and pass them by the text', async (t) => {
  const simulator = await startSimulator({ ...varied(argued), behaviour: 'interface' })
  t.teardown(() => simulator.close())
  const rows = [
    ...['CBI-HEADERS/content-type', 'CBI-WITNESSES/both', 'CBI-BODY/comment', 'SAW-BODY/single-quotes'],
    ...['SAW-BODY/trailing-comma', 'VET-BODY/not-a-number', 'EXE-WRITTEN/comment', 'SAW-SYNCHRONIZER/unknown'],
    ...['SAW-INTERFACE/by-template', 'SAW-DISCLOSURE-MISMATCH/altered-blob', 'EWT-ED25519-FORM/s-plus-order'],
    ...['VET-UPGRADE/flag-unspecified', 'EWT-LEDGER-TIME-HOLDS/only', 'SAW-UPGRADED/older-by-newer'],
    ...['SAW-UPGRADED/newer-by-older', 'VET-OTHER-VERSION/only', 'VET-UNVETTED-EXECUTION/waiting'],
    ...['SAW-AFTER-FAILURE/only', 'SAW-AFTER-LATE-REFUSAL/only', 'SAW-WINDOW-OVER/only'],
    ...['SAW-CONTRACT-ID-VALUE/without-suffix', 'SAW-NUMBERS/map-entry-of-one'],
  ]
  await failByFactsAlone(t, simulator.url, rows)
})

t.test(
  'a change of the named synchronizer fails rows by the facts of the reference, and passes them by the text',
  async (t) => {
    const simulator = await startSimulator({ ...varied(argued), behaviour: 'interface', synchronizers: 2 })
    t.teardown(() => simulator.close())
    const rows = ['SAW-PRESCRIBED-AMONG-SEVERAL/first', 'SAW-PRESCRIBED-AMONG-SEVERAL/second']
    await failByFactsAlone(t, simulator.url, rows)
  },
)

t.test('a request that loses a race returns 503', async (t) => {
  const environment = await simulatorEnvironment(t, {
    ...varied('race-losers-answered-with-503'),
    behaviour: 'interface',
  })
  const sent = Array.from({ length: 10 }, () => submit({ commandId: 'race' })(environment, t))
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  t.equal(statuses.filter((status) => status === 200).length, 1)
  t.ok(statuses.includes(503), statuses.join(' '))
  const { status } = await submit({ commandId: 'race' })(environment, t)
  t.equal(status, 409, 'without a race it is rejected')
})

t.test('a submission that the participant was too busy for is accepted later', async (t) => {
  const names = ['busy-at-times', 'rejected-change-ids-not-accepted-again']
  const environment = await simulatorEnvironment(t, { ...varied(names), behaviour: 'interface' })
  const statuses: number[] = []
  for (const commandId of ['first', 'busy', 'busy']) {
    const { status } = await submit({ commandId })(environment, t)
    statuses.push(status)
  }
  t.strictSame(statuses, [200, 429, 200])
})

t.test('a request whose party does not see the contract is not a race loser', async (t) => {
  const environment = await simulatorEnvironment(t, {
    ...varied('race-losers-answered-with-503'),
    behaviour: 'interface',
  })
  const { alice, bob } = environment
  await uploadPackages(environment.wire)
  const joint = '#conformance-model:Conformance:Joint'
  const creation = environment.submission({
    commands: [createCommand(joint, { first: alice, second: alice, observers: [] })],
  })
  const touch = exerciseCommand(joint, (await createdContract(environment, creation)).contractId, 'Touch')
  const actors = [alice, bob, alice, bob, alice, bob]
  const outcomes = await Promise.all(actors.map((actor) => callModel(environment, actor, touch)))
  t.strictSame(
    outcomes.map(({ code }) => code),
    actors.map((actor) => (actor === alice ? '200' : '404 CONTRACT_NOT_FOUND')),
  )
})

t.test('many variants at once pass all rows of the text', async (t) => {
  const several = [...(variantGroups['answers'] ?? []), ...(variantGroups['requests'] ?? [])]
  const simulator = await startSimulator({ overrides: combineOverrides(several), behaviour: 'interface' })
  t.teardown(() => simulator.close())
  const rows = await judgedBy(simulator.url, { profile: 'interface', only: '*-OT*' })
  t.ok(rows.filter(({ verdict }) => verdict === 'pass').length > 40, 'enough rows run')
  t.strictSame(
    unpassedRows(rows).map(({ id, reason }) => `${id}: ${inWords(reason)}`),
    [],
  )
})
