/** Observations of whole runs of this suite on 3.4.12-SNAPSHOT, 3.5.10 and 3.6.0-SNAPSHOT. */
import t, { type Test } from 'tap'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.js'
import { makeSigningKey } from '../../../runner/sign/signing-key.js'
import { type BehaviourName, startSimulator } from '../../../simulator/simulator.js'
import {
  createPing,
  type ExternalEnvironment,
  execution,
  externalEnvironment,
  outcomeOf,
  refused,
  transactionPath,
} from '../../support/ledgers/external-environment.js'
import { lookUpPath, ping, submitPath } from '../../support/ledgers/simulator-environment.js'
import { at } from '../../support/replay/replay-variables.js'

const lines = ['canton-3.4', 'canton-3.5', 'canton-3.6'] as const

/** What differs between the lines, as short texts. */
async function factsOf(t: Test, behaviour: BehaviourName): Promise<Record<string, JsonValue>> {
  const environment = await externalEnvironment(t, { behaviour })
  const { wire, alice } = environment
  const submit = async (members: JsonObject): Promise<JsonValue> => {
    const answer = await wire.post(submitPath, environment.submission(members))
    return outcomeOf(answer)
  }
  const get = async (path: string): Promise<JsonValue> => (await wire.send({ method: 'GET', path })).json() ?? null
  const unknown = `00${'ab'.repeat(32)}${'cd'.repeat(30)}`
  const exercise = { templateId: ping, contractId: unknown, choice: 'Respond', choiceArgument: {} }
  const byKey = { templateId: ping, contractKey: 'x', choice: 'Respond', choiceArgument: {} }
  const bong = (maxLevel: JsonValue) => ({
    CreateCommand: {
      templateId: ping.replaceAll('Ping:Ping', 'Bong:BongProposal'),
      createArguments: proposal(environment, maxLevel),
    },
  })
  const contract = await wire.post(lookUpPath, { contractId: await createdBy(environment), queryingParties: [alice] })
  return {
    version: at(await get('/v2/version'), '/version') ?? null,
    'ledger end': Object.keys(objectOf(await get('/v2/state/ledger-end'))).join(),
    'unknown path': Object.keys(objectOf(await get('/v2/nothing'))).join(),
    'key hash': Object.hasOwn(objectOf(at(contract.json(), '/createdEvent') ?? null), 'contractKeyHash'),
    'contract id of an unknown version': await submit({ commands: [{ ExerciseCommand: exercise }] }),
    'key of a template without keys': await submit({ commands: [{ ExerciseByKeyCommand: byKey }] }),
    'prefetch without template': await submit({ prefetchContractKeys: [{ contractKey: 'x' }] }),
    'integer as number': await submit({ commands: [bong(3)] }),
    'integer null': await submit({ commands: [bong(null)] }),
    'nine mebibytes': await submit({ more: 'x'.repeat(9 * 1024 * 1024) }),
    ...(await executionFacts(environment)),
  }
}

const objectOf = (value: JsonValue): JsonObject => (isJsonObject(value) ? value : {})

const proposal = ({ alice, bob }: ExternalEnvironment, maxLevel: JsonValue): JsonObject => ({
  id: 'bong',
  initiator: alice,
  candidates: [bob],
  validators: [alice],
  responders: [bob],
  maxLevel,
  timeout: '2030-01-01T00:00:00Z',
})

async function createdBy({ wire, submission, alice }: ExternalEnvironment): Promise<string> {
  const { updateId } = objectOf((await wire.post(submitPath, submission())).json() ?? null)
  const updateFormat = {
    includeTransactions: {
      eventFormat: { filtersByParty: { [alice]: {} }, verbose: true },
      transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
    },
  }
  const answer = await wire.post('/v2/updates/update-by-id', { updateId: updateId ?? null, updateFormat })
  return String(at(answer.json(), '/update/Transaction/value/events/0/CreatedEvent/contractId'))
}

async function executionFacts(environment: ExternalEnvironment): Promise<Record<string, JsonValue>> {
  const eve = await environment.onboard('eve', [makeSigningKey('ed25519')])
  const body = execution(await environment.prepare(eve.party, createPing(eve)), [eve])
  const send = async (more: JsonObject) => environment.wire.post(transactionPath, { ...body, ...more })
  const third = outcomeOf(await send({ hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V3' }))
  const fourth = outcomeOf(await send({ hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V4' }))
  const beginExclusive = await environment.ledgerEnd()
  const accepted = await send({})
  const userId = 'another'
  const repeated = outcomeOf(await send({ deduplicationPeriod: { Empty: {} }, userId }))
  const completions = async (of: string): Promise<JsonValue | undefined> =>
    (
      await environment.wire.post('/v2/commands/completions', { beginExclusive, userId: of, parties: [eve.party] })
    ).json()
  const hash = String(at(accepted.json(), '/transaction/externalTransactionHash'))
  const known = new Map([
    [hash, 'hex'],
    [Buffer.from(hash, 'hex').toString('base64'), 'base64'],
  ])
  const formOf = (answer: JsonValue | undefined, pointer: string): string =>
    known.get(String(at(answer ?? null, `${pointer}/transactionHash`))) ?? 'absent'
  const completion = '/0/completionResponse/Completion/value'
  return {
    third,
    fourth,
    repeated,
    'transaction hash': formOf(accepted.json(), '/transaction'),
    'hash in a completion': formOf(await completions('user'), completion),
    'hash in a completion with an error': formOf(await completions(userId), completion),
  }
}

const keyless = '404 TEMPLATES_OR_INTERFACES_NOT_FOUND'
const repeatedUuid = '400 DUPLICATE_CONFIRMATION_REQUEST_UUID'

t.test('each line answers as observed', async (t) => {
  const facts = new Map<string, Record<string, JsonValue>>()
  for (const line of lines) facts.set(line, await factsOf(t, line))
  const names = Object.keys(facts.get('canton-3.5') ?? {})
  const table = Object.fromEntries(names.map((name) => [name, lines.map((line) => facts.get(line)?.[name] ?? null)]))
  t.strictSame(table, {
    version: ['3.4.12-SNAPSHOT', '3.5.10', '3.6.0-SNAPSHOT'],
    'ledger end': ['offset', 'offset', 'offset,synchronizerTimes'],
    'unknown path': ['errors,status', 'errors,status,ledgerApiError', 'errors,status,ledgerApiError'],
    'key hash': [false, true, true],
    'contract id of an unknown version': ['500 NA', '500 NA', '404 UNSUPPORTED_CONTRACT_ID'],
    'key of a template without keys': ['500 LEDGER_API_INTERNAL_ERROR', keyless, keyless],
    'prefetch without template': ['400 MISSING_FIELD', '400 text', '400 text'],
    'integer as number': [200, '500 LEDGER_API_INTERNAL_ERROR', '500 LEDGER_API_INTERNAL_ERROR'],
    'integer null': ['400 INVALID_ARGUMENT', '500 LEDGER_API_INTERNAL_ERROR', '500 LEDGER_API_INTERNAL_ERROR'],
    'nine mebibytes': ['413 text', '413 text', 200],
    third: ['400 text', refused, refused],
    fourth: ['400 text', '400 text', refused],
    repeated: ['400 NA', repeatedUuid, repeatedUuid],
    'transaction hash': ['absent', 'absent', 'hex'],
    'hash in a completion': ['absent', 'absent', 'base64'],
    'hash in a completion with an error': ['absent', 'absent', 'base64'],
  })
})

t.test('canton-3.4 rejects protocol version 35', async (t) => {
  await t.rejects(startSimulator({ behaviour: 'canton-3.4', protocolVersion: 35 }), {
    name: 'SettingError',
    option: 'protocolVersion',
    problem: 'the behaviour canton-3.4 supports only protocol version 34',
  })
})
