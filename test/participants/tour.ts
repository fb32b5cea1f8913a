/**
 * A conversation in which every lie shows: facts by their names, each as a text that tells what was seen. Two honest participants
 * give the same facts.
 */
import { gzipSync } from 'node:zlib'
import type { JsonObject } from '../../interface/json.js'
import { operations } from '../../interface/operations.js'
import { makeSigningKey } from '../../runner/sign/signing-key.js'
import {
  createPing,
  execute,
  executePath,
  execution,
  externally,
  outcomeOf,
  transactionPath,
} from '../external-world.js'
import { at } from '../replay-variables.js'
import { createdContract, lookUpPath, type SimulatorWorld, submitPath, uploadPackages } from '../simulator-world.js'

export type Facts = Record<string, string>

/** What has to be known of the participant apart from its URL. */
export interface Guide {
  /** Resolves when everything that was to happen later has happened. */
  settled(): Promise<void>
  /** Puts the ledger's clock forward. */
  advance(milliseconds: number): void
}

const vettingPath = operations['update-package-vetting'].path
const model = '#conformance-model:Conformance'
const upgrade = 'conformance-upgrade'
const create = (templateId: string, createArguments: JsonObject): JsonObject => ({
  CreateCommand: { templateId, createArguments },
})
const exercise = (templateId: string, contractId: string, choice: string, choiceArgument: JsonObject): JsonObject => ({
  ExerciseCommand: { templateId, contractId, choice, choiceArgument },
})

export async function tour(world: SimulatorWorld, guide: Guide): Promise<Facts> {
  await uploadPackages(world.wire)
  return {
    ...(await submissions(world, guide)),
    ...(await otherSubmissions(world)),
    ...(await lookUps(world)),
    ...(await executions(world, guide)),
    ...(await vetting(world, guide)),
  }
}

/** What the parties' transactions hold, in order: payloads, and the identities of completions. */
async function ledger(world: SimulatorWorld, party = world.alice): Promise<string> {
  const wildcard = { identifierFilter: { WildcardFilter: { value: {} } } }
  const eventFormat = { filtersByParty: { [party]: { cumulative: [wildcard] } }, verbose: true }
  const includeTransactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' }
  const begin = { beginExclusive: 0, endInclusive: await world.ledgerEnd() }
  const updates = await world.wire.post('/v2/updates', { ...begin, updateFormat: { includeTransactions } })
  const payloads = [...updates.text.matchAll(/"(?:createArgument|choiceArgument)":(\{[^{}]*\})/g)].map(
    ([, found]) => found,
  )
  return payloads.join('\n')
}

async function submissions(world: SimulatorWorld, { settled, advance }: Guide): Promise<Facts> {
  const { wire, alice } = world
  const note = (text: string, more: JsonObject = {}): JsonObject =>
    world.submission({ commands: [create(`${model}:Note`, { author: alice, readers: [], text })], ...more })
  const send = async (body: JsonObject): Promise<number | string> => outcomeOf(await wire.post(submitPath, body))
  const window = { deduplicationPeriod: { DeduplicationDuration: { value: { seconds: 3600, nanos: 0 } } } }

  const first = note('first', { submissionId: 'one' })
  const duplicate = `${await send(first)} ${await send({ ...first, submissionId: 'two' })}`
  const refusal = await send(note('refused', { commandId: '!' }))
  const old = note('old', window)
  const outcomes = [await send(old)]
  for (let index = 0; index < 21; index += 1) outcomes.push(await send(note(`${index}`)))
  outcomes.push(await send(old))
  const young = note('young', window)
  await send(young)
  const unsaid = note('unsaid')
  await send(unsaid)
  await settled()
  const remembered = await send(young)
  advance(1500)
  const byDefault = await send(unsaid)
  const texts = ['e\u0301', ' padded ', '\u{1d11e}', 'x'.repeat(300)]
  for (const text of texts) await send(note(text))
  await settled()
  const completions = await wire.post('/v2/commands/completions', {
    userId: 'user',
    parties: [alice],
    beginExclusive: 0,
  })
  const ids = [...completions.text.matchAll(/"submissionId":"(one|two)"/g)].map(([, id]) => id)
  const payloads = await ledger(world)
  return {
    duplicate: `${duplicate}, ${payloads.split('"first"').length - 1} times`,
    refusal: `${refusal}, ${payloads.includes('"refused"') ? 'committed' : 'not committed'}`,
    'after twenty': outcomes.join(' '),
    'after a second': String(remembered),
    'by default': String(byDefault),
    'once each': String(payloads.split('"7"').length - 1),
    ...Object.fromEntries(
      texts.map((text) => [`text ${text.slice(0, 8)}`, String(payloads.includes(JSON.stringify(text)))]),
    ),
    'submission ids': ids.join(' '),
  }
}

async function otherSubmissions(world: SimulatorWorld): Promise<Facts> {
  const { wire, alice, bob } = world
  const send = async (more: JsonObject): Promise<string> => {
    return String(outcomeOf(await wire.post(submitPath, world.submission(more))))
  }
  const joint = { commands: [create(`${model}:Joint`, { first: alice, second: alice, observers: [] })] }
  const { contractId, blob } = await createdContract(world, world.submission(joint))
  const leave = exercise(`${model}:Joint`, contractId, 'Leave', { party: bob })
  const disclosed = { commands: [leave], actAs: [bob], disclosedContracts: [{ createdEventBlob: blob, contractId }] }
  const own = { commands: [create(`${model}:Note`, { author: alice, readers: [], text: 'own' })] }
  const note = (await createdContract(world, world.submission(own))).contractId
  const delegate = { commands: [create(`${model}:Delegation`, { principal: alice, agent: bob })] }
  const delegation = (await createdContract(world, world.submission(delegate))).contractId
  const fetch = exercise(`${model}:Delegation`, delegation, 'FetchNote', { note })
  const text = JSON.stringify(world.submission())
  const bodies = [
    text.replace(/\}$/, ',}'),
    `/* a comment */${text}`,
    gzipSync(text),
    Buffer.from(text, 'utf16le'),
    text.replace('"commandId"', 'commandId'),
  ]
  const outcomes = []
  for (const body of bodies) outcomes.push(outcomeOf(await wire.send({ path: submitPath, body })))
  return {
    disclosed: await send(disclosed),
    'fetched by a reader': await send({ commands: [fetch], actAs: [bob], readAs: [alice] }),
    'odd bodies': outcomes.join(' '),
  }
}

async function lookUps(world: SimulatorWorld): Promise<Facts> {
  const { wire, alice, bob } = world
  const list = await wire.post('/v2/package-vetting/list', {
    packageMetadataFilter: { packageNamePrefixes: [upgrade] },
  })
  const [, old = ''] = /"packageId":"([0-9a-f]{64})"[^}]*"packageVersion":"1.0.0"/.exec(list.text) ?? []
  const command = create(`${old}:ConformanceUpgrade:Upgradable`, { owner: alice, text: 'x' })
  const { contractId } = await createdContract(world, world.submission({ commands: [command] }))
  const lookUp = async (queryingParties: string[]) => wire.post(lookUpPath, { contractId, queryingParties })
  const open = (await lookUp([])).json()
  return {
    witnesses: String([at(open, '/createdEvent/witnessParties') ?? []].flat().every((party) => party === alice)),
    representative: String(at(open, '/createdEvent/representativePackageId') === old),
    'shown to one stranger': String(outcomeOf(await lookUp([bob]))),
    'shown to strangers': String(outcomeOf(await lookUp([bob, `carol::1220${'ab'.repeat(32)}`]))),
  }
}

async function executions(known: SimulatorWorld, { settled }: Guide): Promise<Facts> {
  const world = externally(known)
  const eve = await world.onboard('eve', [makeSigningKey('ed25519')])
  const formatOf = (filter: JsonObject, verbose: boolean): JsonObject => ({
    eventFormat: { filtersByParty: { [eve.party]: { cumulative: [{ identifierFilter: filter }] } }, verbose },
    transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
  })
  const send = async (id: string, path: string, more: JsonObject = {}) => {
    const prepared = await world.prepare(eve.party, createPing(eve, id))
    return execute(world, execution(prepared, [eve], more), path)
  }
  const wildcard = { WildcardFilter: { value: {} } }
  const byTemplate = {
    TemplateFilter: { value: { templateId: '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping' } },
  }
  const plain = await send('plain', executePath)
  const whole = await send('whole', transactionPath, { transactionFormat: formatOf(wildcard, true) })
  const filtered = await send('filtered', transactionPath, { transactionFormat: formatOf(byTemplate, true) })
  const bare = await send('bare', transactionPath, { transactionFormat: formatOf(wildcard, false) })
  const refusals = [
    await send('bad', executePath, { submissionId: '!' }),
    await send('worse', transactionPath, { submissionId: '!' }),
  ]
  await settled()
  const payloads = await ledger(world, eve.party)
  const times = ['recordTime', 'effectiveAt'].map((name) => String(at(whole.json(), `/transaction/${name}`)))
  return {
    executed: `${outcomeOf(plain)}, ${payloads.includes('"plain"')}`,
    'with a format': String(outcomeOf(whole)),
    'by template': `${outcomeOf(filtered)} ${filtered.text.includes('CreatedEvent')}`,
    'not verbose': String(bare.text.includes('"bare"')),
    'refused executions': refusals.map(outcomeOf).join(' '),
    'refused to execute': String(payloads.includes('"bad"')),
    'refused to execute for a transaction': String(payloads.includes('"worse"')),
    'record time': String(times[0]?.includes('.')),
    'effective time': String(times[1]?.includes('.')),
    'times apart': String(times[0] !== times[1]),
  }
}

async function vetting({ wire }: SimulatorWorld, { settled }: Guide): Promise<Facts> {
  const change = (kind: 'Vet' | 'Unvet', name: string, version: string): JsonObject => ({
    operation: { [kind]: { value: { packages: [{ packageName: name, packageVersion: version }] } } },
  })
  const update = (changes: JsonObject[], more: JsonObject = {}) => wire.post(vettingPath, { changes, ...more })
  const vetted = async (): Promise<string> => {
    const list = await wire.post('/v2/package-vetting/list', {})
    return [...list.text.matchAll(/"packageName":"(conformance-[^"]+)","packageVersion":"([^"]+)"/g)]
      .map(([, name, version]) => `${name} ${version}`)
      .sort()
      .join(', ')
  }
  const serial = async (): Promise<JsonObject> => {
    const prior = at((await wire.post('/v2/package-vetting/list', {})).json(), '/vettedPackages/0/topologySerial') ?? 0
    return { expectedTopologySerial: { serial: { Prior: { value: prior } } } }
  }
  const facts: Facts = {}
  facts['dry run'] = String(outcomeOf(await update([change('Unvet', 'conformance-model', '1.0.0')], { dryRun: true })))
  await settled()
  facts['after a dry run'] = await vetted()
  const wrong = { expectedTopologySerial: { serial: { Prior: { value: 999 } } } }
  facts['wrong serial'] = String(outcomeOf(await update([change('Unvet', 'conformance-model', '1.0.0')], wrong)))
  await settled()
  facts['after a refused change'] = await vetted()
  await update([change('Unvet', upgrade, '1.0.0'), change('Unvet', upgrade, '1.1.0')])
  facts['two changes at once'] = await vetted()
  await update([change('Unvet', 'conformance-dependent', '1.0.0')])
  await update([change('Unvet', 'conformance-model-keys', '1.0.0')])
  facts['two changes one after the other'] = await vetted()
  await settled()
  facts['a while later'] = await vetted()
  const expected = await serial()
  const racing = ['conformance-model', 'conformance-dependency'].map((name) =>
    update([change('Unvet', name, '1.0.0')], expected),
  )
  const accepted = (await Promise.all(racing)).filter(({ status }) => status === 200)
  facts['racing changes'] = `${accepted.length} accepted`
  await settled()
  return facts
}
