/** Participants that use what the text leaves open: each is another than the simulator in what its sentence says, and no row of the text profile minds. */
import { once } from 'node:events'
import { request } from 'node:http'
import t, { type Test } from 'tap'
import type { JsonObject } from '../interface/json.js'
import { operations } from '../interface/operations.js'
import { makeSigningKey } from '../runner/sign/signing-key.js'
import { allVariations, startSimulator } from '../simulator/simulator.js'
import { variationsAtOnce } from '../simulator/variations/catalogue.js'
import { createPing, execution, externally, type Signer } from './external-world.js'
import { adminClaims, bearer, right, sign } from './guarded-world.js'
import { againstIt, judgedBy } from './judged-by.js'
import { at } from './replay-variables.js'
import {
  createdContract,
  lookUpPath,
  ping,
  type SimulatorWorld,
  simulatorWorld,
  submitPath,
} from './simulator-world.js'
import { stillClock } from './still-clock.js'
import type { WireAnswer } from './wire.js'

const vettingPath = operations['update-package-vetting'].path
const secret = 'a secret of thirty-two bytes and more'

/** What one looks at to see a variation. */
type Look = (world: SimulatorWorld, t: Test) => Promise<WireAnswer>

const submit =
  (more: JsonObject): Look =>
  ({ wire, submission }) =>
    wire.post(submitPath, submission(more))

const period = (kind: JsonObject): Look => submit({ deduplicationPeriod: kind })
const headed =
  (method: string, path: string, headers: Record<string, string> = {}): Look =>
  ({ wire, submission }) =>
    wire.send({
      method,
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(submission()),
    })

const looked: Look = async (world) => {
  const { contractId } = await createdContract(world)
  return world.wire.post(lookUpPath, { contractId })
}

const executed =
  (
    path: keyof typeof operations,
    more: JsonObject = {},
    change: (body: JsonObject, eve: Signer) => JsonObject = (body) => body,
  ): Look =>
  async (world) => {
    const outside = externally(world)
    const eve = await outside.onboard('eve', [makeSigningKey('ed25519')])
    const body = execution(await outside.prepare(eve.party, createPing(eve)), [eve], more)
    return world.wire.post(operations[path].path, change(body, eve))
  }

const shown = executed('execute-and-wait-for-transaction')

const format = (filter: JsonObject, party: string): JsonObject => ({
  eventFormat: { filtersByParty: { [party]: { cumulative: [{ identifierFilter: filter }] } }, verbose: true },
  transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
})
const wildcard = { WildcardFilter: { value: { includeCreatedEventBlob: false } } }
const byTemplate = { TemplateFilter: { value: { templateId: ping, includeCreatedEventBlob: false } } }

const formatted = (filter: JsonObject): Look =>
  executed('execute-and-wait-for-transaction', {}, (body, { party }) => ({
    ...body,
    transactionFormat: format(filter, party),
  }))

const signed = (more: JsonObject): Look =>
  executed('execute', {}, (body) =>
    JSON.parse(JSON.stringify(body).replace('"SIGNATURE_FORMAT_CONCAT"', JSON.stringify(more['format']))),
  )

const again =
  (look: Look): Look =>
  async (world, t) => {
    await look(world, t)
    return look(world, t)
  }

const vetting =
  (more: JsonObject = {}): Look =>
  async ({ wire }) => {
    const list = await wire.post('/v2/package-vetting/list', {})
    const packageId = at(list.json(), '/vettedPackages/0/packages/0/packageId') ?? ''
    const operation = { Vet: { value: { packages: [{ packageId }], newValidUntilExclusive: '2090-01-01T00:00:00Z' } } }
    return wire.post(vettingPath, { changes: [{ operation }], dryRun: true, ...more })
  }

const withoutPast: Look = async ({ wire }) => {
  const list = await wire.post('/v2/package-vetting/list', {})
  const packages = [at(list.json(), '/vettedPackages/0/packages') ?? []]
    .flat()
    .map((item) => ({ packageId: at(item, '/packageId') ?? '' }))
  const changes = [{ operation: { Unvet: { value: { packages } } } }]
  const flags = { updateVettedPackagesForceFlags: ['UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES'] }
  await wire.post(vettingPath, { changes, ...flags })
  return wire.post(vettingPath, { changes, dryRun: true, ...flags })
}

const disclosed =
  (more: JsonObject): Look =>
  async (world) => {
    const { contractId, blob: createdEventBlob } = await createdContract(world)
    return submit({ disclosedContracts: [{ contractId, createdEventBlob, ...more }] })(world, t)
  }

const lookedBySeveral: Look = async (world) => {
  const { contractId } = await createdContract(world)
  return world.wire.post(lookUpPath, { contractId, queryingParties: [world.alice, world.bob] })
}

const endAfterTen: Look = async ({ wire }) => {
  for (let count = 0; count < 10; count += 1) await wire.post(lookUpPath, { contractId: 'none' })
  return wire.send({ method: 'GET', path: '/v2/state/ledger-end' })
}

const refusal = submit({ commandId: '!' })
const large = (size: number): Look => submit({ unknown: 'abcdefgh'.repeat(size / 8) })
const mebibyte = 1024 * 1024

/** Where each of them shows. */
const shows: Record<string, Look> = {
  'other-statuses': refusal,
  'one-status': ({ wire }) => wire.post(lookUpPath, { contractId: `00${'ab'.repeat(32)}` }),
  'other-error-bodies': refusal,
  'problem-details': refusal,
  'silent-refusals': refusal,
  'other-codes': refusal,
  'accept-ignored': headed('POST', submitPath, { accept: 'text/html' }),
  'paths-of-any-case': headed('POST', submitPath.toUpperCase()),
  'an-older-version-too': headed('POST', submitPath.replace('/v2/', '/v1/')),
  'options-answered': ({ wire }) => wire.send({ method: 'OPTIONS', path: submitPath }),
  'small-bodies': large(2 * mebibyte),
  'bodies-of-any-size': large(9 * mebibyte),
  'busy-at-times': again(refusal),
  'others-move-the-end': submit({}),
  'empty-members-left-out': looked,
  'null-for-empty': shown,
  'unpopulated-left-out': looked,
  'events-with-few-members': looked,
  'events-without-ids': looked,
  'transactions-with-few-members': shown,
  'vetted-packages-with-few-members': vetting(),
  'no-past-state': withoutPast,
  'past-state-never-told': vetting(),
  'times-with-offset': looked,
  'times-of-another-zone': looked,
  'times-in-nanoseconds': vetting(),
  'times-as-numbers': looked,
  'execute-tells-more': executed('execute'),
  'more-members': looked,
  'completions-counted-apart': submit({}),
  'events-counted-apart': shown,
  'hashes-in-base64': shown,
  'spaced-answers': looked,
  'escaped-texts': looked,
  'other-order': vetting(),
  'other-successes': submit({}),
  'own-media-type': submit({}),
  'only-shown-commands': submit({}),
  'only-shown-periods': period({ DeduplicationOffset: { value: 0 } }),
  'only-shown-changes': vetting(),
  'only-shown-serials': vetting({ expectedTopologySerial: { serial: { Prior: { value: 1 } } } }),
  'only-shown-ledger-times': executed('execute', {
    minLedgerTime: { time: { MinLedgerTimeAbs: { value: '2020-01-01T00:00:00Z' } } },
  }),
  'no-formats': formatted(wildcard),
  'only-shown-filters': formatted(byTemplate),
  'ids-without-blanks': submit({ commandId: 'a b' }),
  'short-ids': submit({ commandId: 'a'.repeat(101) }),
  'empty-texts-refused': submit({ workflowId: '' }),
  'nulls-refused': submit({ workflowId: null }),
  'unknown-members-refused': submit({ limit: 1 }),
  'times-wanted-as-numbers': submit({ minLedgerTimeAbs: '2020-01-01T00:00:00Z' }),
  'plain-integers': submit({ tapsMaxPasses: '3' }),
  'short-lists': submit({ readAs: new Array(101).fill('a') }),
  'flat-bodies': submit({ unknown: JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`) }),
  'unknown-parties-refused': submit({ readAs: ['nobody'] }),
  'one-signer': executed('execute', {}, (body) => {
    const [own] = [at(body, '/partySignatures/signatures') ?? []].flat()
    return { ...body, partySignatures: { signatures: [own ?? null, { party: 'nobody::1220ab', signatures: [] }] } }
  }),
  'disclosures-in-full': disclosed({}),
  'one-pass': submit({ tapsMaxPasses: 2 }),
  'ids-of-any-text': submit({ commandId: 'é!' }),
  'command-ids-may-be-empty': submit({ commandId: '' }),
  'bad-parties-ignored': submit({ readAs: ['a!b'] }),
  'many-passes': submit({ tapsMaxPasses: 9 }),
  'no-passes': submit({ tapsMaxPasses: 0 }),
  'preferences-are-wishes': submit({ packageIdSelectionPreference: ['x'] }),
  'unknown-periods-ignored': period({ Forever: {} }),
  'times-without-zone': submit({ minLedgerTimeAbs: '2020-01-01' }),
  'far-times-at-once': executed('execute-and-wait-for-transaction', {
    minLedgerTime: { time: { MinLedgerTimeAbs: { value: '2090-01-01T00:00:00Z' } } },
  }),
  'formats-of-signatures-ignored': signed({ format: 'SIGNATURE_FORMAT_DER' }),
  'disclosures-read-from-blobs': disclosed({ templateId: ping }),
  'synchronizers-with-version': (world, t) => submit({ synchronizerId: `${world.synchronizer}::35-0` })(world, t),
  'other-words': refusal,
  'sets-in-another-order': lookedBySeveral,
  'update-ids-of-another-form': submit({}),
  'contract-ids-of-another-form': shown,
  'others-use-the-ledger': endAfterTen,
  'duplicates-answered-with-the-first': again(submit({ commandId: 'first' })),
}

/** Those that only show where tokens are asked for. */
const guarded = ['everything-hidden', 'anybody-may-look-up', 'anybody-may-hand-in']
/** Those that show in time alone, or in ids that differ anyway. */
const unseen = ['slow-answers', 'bounded-executions-take-their-time', 'own-traces']
/** Those that show on the wire. */
const sentOtherwise = ['bodies-in-pieces', 'headers-in-capitals']
const apart = ['executions-answered-with-the-first', 'executions-shown-later', ...guarded, ...unseen, ...sentOtherwise]

const variations = await allVariations()

/** Undefined: the simulator as it is. */
async function lookAt(t: Test, name: string | undefined, look: Look): Promise<string> {
  const options = { clock: stillClock(), behaviour: 'interface', seed: 'variation', answerLimit: 1000 } as const
  const world = await simulatorWorld(t, { ...options, ...(name !== undefined && { variations: [name] }) })
  const { status, contentType, text } = await look(world, t)
  // Keys are made anew each time, and so is what comes of them.
  return `${status} ${contentType} ${text.replace(/[0-9a-f]{16,}/g, 'H').replace(/"traceparent":"[^"]*"/, '')}`
}

t.test('several at once alter what is said a second time as they altered it at first', async (t) => {
  const names = [
    ...['completions-counted-apart', 'duplicates-answered-with-the-first', 'escaped-texts'],
    ...['contract-ids-of-another-form', 'update-ids-of-another-form'],
  ]
  const world = await simulatorWorld(t, { behaviour: 'interface', seed: 'variation', variations: names })
  const first = await submit({ commandId: 'first' })(world, t)
  const second = await submit({ commandId: 'first' })(world, t)
  t.equal(second.text, first.text)
  t.match(first.text, '\\u', 'texts are escaped')
  t.match(JSON.parse(first.text), { updateId: /^tx:/ })
})

t.test('a variation shows where it should', async (t) => {
  t.strictSame([...Object.keys(shows), ...apart].sort(), variations.map(({ name }) => name).sort(), 'each is tried')
  t.ok(
    variations.every(({ permittedBy }) => permittedBy !== ''),
    'each cites what permits it',
  )
  for (const [name, look] of Object.entries(shows)) {
    const usual = await lookAt(t, undefined, look)
    const found = await lookAt(t, name, look)
    t.not(found, usual, `${name}: ${usual.slice(0, 200)}`)
  }
})

t.test('an execution is answered again as it was the first time', async (t) => {
  const variations = ['executions-answered-with-the-first']
  const world = await simulatorWorld(t, { variations, clock: stillClock(), answerLimit: 1000 })
  const outside = externally(world)
  const eve = await outside.onboard('eve', [makeSigningKey('ed25519')])
  const body = execution(await outside.prepare(eve.party, createPing(eve)), [eve])
  const first = await world.wire.post(operations['execute-and-wait-for-transaction'].path, body)
  const second = await world.wire.post(operations['execute-and-wait-for-transaction'].path, {
    ...body,
    submissionId: 'again',
  })
  t.strictSame([first.status, second.text], [200, first.text])
})

t.test('answers are sent in pieces, and with headers in capitals', async (t) => {
  const headersOf = async (variations: string[]): Promise<string[]> => {
    const { wire } = await simulatorWorld(t, { variations })
    const { url, text } = await wire.post(lookUpPath, { contractId: '\u{1f600}' })
    t.match(text, '\u{1f600}', 'a character of several bytes comes as it is')
    const [answer] = await once(request(`${url}${lookUpPath}`, { method: 'POST' }).end('{}'), 'response')
    answer.resume()
    return answer.rawHeaders
  }
  const usual = await headersOf([])
  t.ok(usual.includes('content-length') && usual.includes('content-type'))
  const pieces = await headersOf(['bodies-in-pieces'])
  t.notOk(pieces.includes('content-length'))
  t.ok(pieces.includes('chunked'))
  t.ok((await headersOf(['headers-in-capitals'])).includes('CONTENT-TYPE'))
})

t.test('what was executed is shown a while later', async (t) => {
  const world = await simulatorWorld(t, { variations: ['executions-shown-later'] })
  const outside = externally(world)
  const eve = await outside.onboard('eve', [makeSigningKey('ed25519')])
  const body = execution(await outside.prepare(eve.party, createPing(eve)), [eve])
  t.equal((await world.wire.post(operations.execute.path, body)).status, 200)
  const executed = performance.now()
  const isShown = async (): Promise<boolean> => {
    const completions = await world.wire.post('/v2/commands/completions', {
      ...{ userId: 'user', parties: [eve.party], beginExclusive: 0 },
    })
    return completions.text.includes('Completion')
  }
  while (!(await isShown())) t.ok(performance.now() - executed < 20_000)
  t.ok(performance.now() - executed > 250)
})

t.test('variations of who may ask', async (t) => {
  const statusesOf = async (name?: string): Promise<Record<string, number>> => {
    const admin = bearer(await sign(adminClaims()))
    const chosen = name === undefined ? {} : { variations: [name] }
    const world = await simulatorWorld(t, { ...chosen, authorization: `hs256:${secret}` }, admin)
    const as = async (id: string, rights: JsonObject[]) => {
      await world.wire.post('/v2/users', { user: { id }, rights: rights.map((kind) => ({ kind })) }, admin)
      return bearer(await sign({ ...adminClaims(), sub: id }))
    }
    const ann = await as('ann', [right('CanActAs', world.alice), right('CanReadAsAnyParty')])
    const bea = await as('bea', [])
    const { userId: _, ...own } = world.submission()
    const { contractId } = await createdContract(world, own, ann)
    const body = { contractId, queryingParties: [world.alice] }
    await world.wire.post(lookUpPath, body, ann)
    const lookUp = await world.wire.post(lookUpPath, body, bea)
    return { nobody: (await world.wire.post(submitPath, own)).status, lookUp: lookUp.status }
  }
  t.strictSame(await statusesOf(), { nobody: 401, lookUp: 403 })
  t.strictSame(await statusesOf('everything-hidden'), { nobody: 404, lookUp: 404 })
  t.match(await statusesOf('anybody-may-look-up'), { nobody: 401, lookUp: 200 })
})

t.test('no row of the text profile minds many variations at once', async (t) => {
  const several = [...(variationsAtOnce['answers'] ?? []), ...(variationsAtOnce['requests'] ?? [])]
  const simulator = await startSimulator({ variations: several.map(({ name }) => name), behaviour: 'interface' })
  t.teardown(() => simulator.close())
  // A sample: all of them are judged by `npm run test:variations`.
  const rows = await judgedBy(simulator.url, { profile: 'interface', only: '*-O*' })
  t.ok(rows.filter(({ verdict }) => verdict === 'pass').length > 100, 'there is something to mind')
  t.strictSame(
    againstIt(rows).map(({ id, reason }) => `${id}: ${reason}`),
    [],
  )
})
