/**
 * The requests of two public scripts, in their order: the IOU scenario of the JSON API example of the reference, and the
 * user functions of the quick start. The scripts are in no package registry.
 */
import t from 'tap'
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import { modelEnvironment } from '../support/ledgers/model-environment.js'
import { objectIn, type SimulatorEnvironment, submitPath, textAt } from '../support/ledgers/simulator-environment.js'
import { at } from '../support/replay/replay-variables.js'

const asset = '#conformance-model:Conformance:Asset'
const delegation = '#conformance-model:Conformance:Delegation'
const note = '#conformance-model:Conformance:Note'

/** Throws unless the status is 200. */
async function send(
  { wire }: SimulatorEnvironment,
  method: string,
  path: string,
  body?: JsonObject,
): Promise<JsonObject> {
  const answer = await wire.send({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return objectIn(answer)
}

async function partyWithUser(environment: SimulatorEnvironment, name: string): Promise<string> {
  const { partyDetails } = await send(environment, 'POST', '/v2/parties', {
    partyIdHint: name,
    identityProviderId: '',
    synchronizerId: '',
    userId: '',
  })
  const party = textAt(partyDetails, 'party')
  await send(environment, 'POST', '/v2/users', {
    user: {
      id: name,
      isDeactivated: false,
      primaryParty: party,
      identityProviderId: '',
      metadata: { resourceVersion: '', annotations: {} },
    },
    rights: [{ kind: { CanActAs: { value: { party } } } }, { kind: { CanReadAs: { value: { party } } } }],
  })
  return party
}

t.test('the IOU scenario of the JSON API example', async (t) => {
  const environment = await modelEnvironment(t)
  const [alice, bob] = [await partyWithUser(environment, 'Alice'), await partyWithUser(environment, 'Bob')]
  const submit = async (userId: string, party: string, command: JsonObject): Promise<JsonValue> => {
    const body = { commands: [command], commandId: `${userId}-${crypto.randomUUID()}`, actAs: [party], userId }
    return (await send(environment, 'POST', submitPath, body))['completionOffset'] ?? null
  }
  const formatFor = (party: string, templateId: string): JsonObject => {
    const identifierFilter = { TemplateFilter: { value: { templateId, includeCreatedEventBlob: false } } }
    return { filtersByParty: { [party]: { cumulative: [{ identifierFilter }] } }, verbose: false }
  }
  const contracts = async (party: string, template: string, activeAtOffset: JsonValue): Promise<JsonValue[]> => {
    const body = { eventFormat: formatFor(party, template), activeAtOffset }
    const { json } = await environment.wire.post('/v2/state/active-contracts', body)
    return [json()].flat().map((one) => at(one, '/contractEntry/JsActiveContract/createdEvent') ?? null)
  }
  const created = await submit('Alice', alice, {
    CreateCommand: { templateId: delegation, createArguments: { principal: alice, agent: bob } },
  })
  const [delegated] = await contracts(alice, delegation, created)
  t.match(delegated, { createArgument: { principal: alice, agent: bob } })
  const used = await submit('Bob', bob, {
    ExerciseCommand: {
      templateId: delegation,
      contractId: textAt(delegated, 'contractId'),
      choice: 'CreateFor',
      choiceArgument: { text: 'transfer' },
    },
  })
  const [transfer] = await contracts(bob, note, used)
  t.match(transfer, { createArgument: { author: alice, readers: [bob], text: 'transfer' } })
  const accepted = await submit('Alice', alice, {
    ExerciseCommand: {
      templateId: note,
      contractId: textAt(transfer, 'contractId'),
      choice: 'Archive',
      choiceArgument: {},
    },
  })
  const { json } = await environment.wire.post('/v2/updates', {
    beginExclusive: created,
    endInclusive: accepted,
    updateFormat: {
      includeTransactions: {
        eventFormat: formatFor(alice, note),
        transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
      },
    },
  })
  const events = [json()].flat().flatMap((one) => at(one, '/update/Transaction/value/events') ?? [])
  const contractId = textAt(transfer, 'contractId')
  t.match(events, [{ CreatedEvent: { contractId } }, { ArchivedEvent: { contractId } }])
})

t.test('the user functions of the quick start', async (t) => {
  const environment = await modelEnvironment(t)
  const get = (path: string): Promise<JsonObject> => send(environment, 'GET', path)
  const { participantId } = await get('/v2/parties/participant-id')
  const [, namespace = ''] = String(participantId).split('::')
  const party = `app_provider::${namespace}`
  t.strictSame(await get(`/v2/parties/${party}`), { partyDetails: [] }, 'the party is unknown')
  const { partyDetails } = await send(environment, 'POST', '/v2/parties', {
    partyIdHint: 'app_provider',
    displayName: 'app_provider',
    identityProviderId: '',
  })
  t.equal(textAt(partyDetails, 'party'), party)
  t.match(await get(`/v2/parties/${party}`), { partyDetails: [{ party, isLocal: true }] })
  const user = {
    id: 'app',
    isDeactivated: false,
    primaryParty: '',
    identityProviderId: '',
    metadata: { resourceVersion: '', annotations: { username: 'app' } },
  }
  await send(environment, 'POST', '/v2/users', { user, rights: [] })
  const updated = await send(environment, 'PATCH', '/v2/users/app', {
    user: { ...user, primaryParty: party },
    updateMask: { paths: ['primary_party', 'metadata'], unknownFields: { fields: {} } },
  })
  t.match(updated, { user: { primaryParty: party, metadata: { annotations: { username: 'app' } } } })
  const kinds = [
    { ParticipantAdmin: { value: {} } },
    { CanActAs: { value: { party } } },
    { CanReadAs: { value: { party } } },
  ]
  const rights = kinds.map((kind) => ({ kind }))
  const granted = await send(environment, 'POST', '/v2/users/app/rights', {
    userId: 'app',
    identityProviderId: '',
    rights,
  })
  t.strictSame(granted, { newlyGrantedRights: rights })
  const { transaction } = await send(environment, 'POST', '/v2/commands/submit-and-wait-for-transaction', {
    commands: {
      commands: [
        {
          CreateCommand: {
            templateId: asset,
            createArguments: { issuer: party, owner: party, name: 'gold', amount: '1' },
          },
        },
      ],
      workflowId: 'create-asset',
      applicationId: 'app',
      userId: 'app',
      commandId: 'create-asset',
      deduplicationPeriod: { Empty: {} },
      actAs: [party],
      readAs: [],
      submissionId: 'create-asset',
      disclosedContracts: [],
      domainId: '',
      packageIdSelectionPreference: [],
    },
  })
  t.match(transaction, { workflowId: 'create-asset', events: [{ CreatedEvent: { createArgument: { name: 'gold' } } }] })
  await send(environment, 'DELETE', '/v2/users/app')
})
