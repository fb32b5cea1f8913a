/** Participants that use what the text leaves open: each is another than the simulator in what its sentence says. */
import t, { type Test } from 'tap'
import { isJsonObject, type JsonObject, type JsonValue } from '../interface/json.js'
import { operations } from '../interface/operations.js'
import { makeSigningKey } from '../runner/sign/signing-key.js'
import { createPing, execute, executePath, execution, externally, outcomeOf } from './external-world.js'
import { freedoms } from './participants/freedoms.js'
import { type Lie, lyingParticipant } from './participants/stage.js'
import { at } from './replay-variables.js'
import { createdContract, lookUpPath, submitPath, worldOf } from './simulator-world.js'
import { stillClock } from './still-clock.js'
import type { WireAnswer } from './wire.js'

const vettingPath = operations['update-package-vetting'].path
const plain: Lie = { name: 'plain', sentence: 'As the simulator.', rules: [], tell: ({ ask }) => ask }

/** What is to be seen of a participant, by names. */
async function lookAt(t: Test, freedom: Lie): Promise<Record<string, string>> {
  const clock = stillClock()
  const { url } = await lyingParticipant(t, freedom, { clock, behaviour: 'interface', seed: 'freedom' })
  const world = externally(await worldOf(t, { url, close: () => Promise.resolve() }))
  const { wire, submission } = world
  const submit = (more: JsonObject, headers: Record<string, string> = {}): Promise<WireAnswer> =>
    wire.post(submitPath, submission({ commandId: `id-${JSON.stringify(more).length}`, ...more }), headers)
  const told = async (more: JsonObject, headers?: Record<string, string>): Promise<string> =>
    String(outcomeOf(await submit(more, headers)))
  const refused = await submit({ commandId: '!' })
  const first = await submit({ commandId: 'first' })
  const { contractId } = await createdContract(world)
  const contract = await wire.post(lookUpPath, { contractId })
  const eve = await world.onboard('eve', [makeSigningKey('ed25519')])
  const signed = execution(await world.prepare(eve.party, createPing(eve)), [eve])
  const executed = await execute(world, signed, executePath)
  const list = await wire.post('/v2/package-vetting/list', {})
  const vetted = [at(list.json(), '/vettedPackages/0/packages') ?? []]
    .flat()
    .map((item) => at(item, '/packageId') ?? '')
  const unvet = { operation: { Unvet: { value: { packages: vetted.map((packageId) => ({ packageId })) } } } }
  const flags = { updateVettedPackagesForceFlags: ['UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES'] }
  const facts = {
    refusal: String(refused.status),
    'refusal body': String(refused.contentType),
    accepted: `${first.contentType} ${first.text.startsWith('{')}`,
    members: membersOf(first.json()),
    'members of events': membersOf(at(contract.json(), '/createdEvent') ?? null),
    'creation time': String(at(contract.json(), '/createdEvent/createdAt')),
    again: await told({ commandId: 'first' }),
    'other periods': await told({ deduplicationPeriod: { DeduplicationOffset: { value: 0 } } }),
    'a blank': await told({ commandId: 'a b' }),
    'an empty text': await told({ workflowId: '' }),
    passes: await told({ tapsMaxPasses: 9 }),
    large: await told({ unknown: 'x'.repeat(2 * 1024 * 1024) }),
    'an unknown member': await told({ limit: 1 }),
    'other media types': await told({}, { accept: 'text/html' }),
    'another case': String(outcomeOf(await wire.post(submitPath.toUpperCase(), submission({ commandId: 'upper' })))),
    executed: executed.text,
    'other commands': await told({ commandId: 'a-create' }),
  }
  await wire.post(vettingPath, { changes: [unvet], ...flags })
  const nothing = await wire.post(vettingPath, { changes: [unvet], dryRun: true, ...flags })
  return { ...facts, past: membersOf(nothing.json()) }
}

const membersOf = (value: JsonValue): string => (isJsonObject(value) ? Object.keys(value).sort().join(' ') : 'none')

const shows: Record<string, string> = {
  'other-statuses': 'refusal',
  'other-error-bodies': 'refusal body',
  'empty-members-left-out': 'members of events',
  'no-past-state': 'past',
  'times-with-offset': 'creation time',
  'times-in-nanoseconds': 'creation time',
  'duplicates-answered-with-the-first': 'again',
  'only-shown-periods': 'other periods',
  'ids-without-blanks': 'a blank',
  'empty-texts-refused': 'an empty text',
  'many-passes': 'passes',
  'small-bodies': 'large',
  'execute-tells-more': 'executed',
  'spaced-answers': 'accepted',
  'accept-ignored': 'other media types',
  'paths-of-any-case': 'another case',
  'more-members': 'members',
  'unknown-members-refused': 'an unknown member',
}

t.test('a freedom shows where it should', async (t) => {
  const usual = await lookAt(t, plain)
  t.strictSame(await lookAt(t, plain), usual, 'two simulators are the same')
  const names = freedoms.map(({ name }) => name)
  t.strictSame([...Object.keys(shows), 'only-shown-commands'].sort(), names.toSorted(), 'each is tried')
  const seen = Object.entries(shows).map(async ([name, fact]) => {
    const freedom = freedoms.find((item) => item.name === name)
    if (!freedom) throw new Error(`there is no freedom ${name}`)
    // In what is looked at, empty ids and blanks stand where only the one that is tried may look at them.
    return { name, fact, facts: await lookAt(t, freedom).catch((error: unknown) => String(error)) }
  })
  for (const { name, fact, facts } of await Promise.all(seen)) {
    if (typeof facts === 'string') t.fail(`${name}: ${facts}`)
    else t.not(facts[fact], usual[fact], `${name}: ${fact}: ${usual[fact]}`)
  }
})

t.test('where one kind of command is known, the others are refused', async (t) => {
  const freedom = freedoms.find(({ name }) => name === 'only-shown-commands') ?? plain
  const { url } = await lyingParticipant(t, freedom)
  const world = await worldOf(t, { url, close: () => Promise.resolve() })
  const createArguments = { id: 'x', initiator: world.alice, responder: world.alice }
  const [create] = [world.submission()['commands'] ?? []].flat()
  const templateId = String(at(create ?? null, '/CreateCommand/templateId'))
  const both = { templateId, createArguments, choice: 'Archive', choiceArgument: {} }
  const outcome = async (command: JsonValue) =>
    outcomeOf(await world.wire.post(submitPath, world.submission({ commands: [command] })))
  t.equal(await outcome({ CreateCommand: { templateId, createArguments } }), '400 INVALID_ARGUMENT')
  t.equal(await outcome({ CreateAndExerciseCommand: both }), 200)
})
