/** Observations in explorations of a live participant 3.5.10. */
import t from 'tap'
import { isJsonObject } from '../../../lib/json/json.js'
import {
  lookUpPath,
  objectIn,
  ping,
  simulatorEnvironment,
  submitPath,
} from '../../support/ledgers/simulator-environment.js'
import { at } from '../../support/replay/replay-variables.js'

t.test('rejects HEAD with a body while it reads the head', async (t) => {
  const { wire } = await simulatorEnvironment(t)
  t.equal((await wire.send({ method: 'HEAD', path: lookUpPath })).status, 405)
  t.equal((await wire.send({ method: 'HEAD', path: lookUpPath, body: '{}' })).status, 422)
})

t.test('finds a contract that its own transaction archived', async (t) => {
  const environment = await simulatorEnvironment(t)
  const { wire, submission, alice, bob } = environment
  const createArguments = { id: 'p', initiator: alice, responder: bob }
  const command = { templateId: ping, createArguments, choice: 'Archive', choiceArgument: {} }
  const { updateId } = objectIn(
    await wire.post(submitPath, submission({ commands: [{ CreateAndExerciseCommand: command }] })),
  )
  const filter = { cumulative: [{ identifierFilter: { WildcardFilter: { value: {} } } }] }
  const eventFormat = { filtersByParty: { [alice]: filter }, verbose: true }
  const includeTransactions = { eventFormat, transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS' }
  const update = await wire.post('/v2/updates/update-by-id', { updateId, updateFormat: { includeTransactions } })
  const contractId = at(update.json(), '/update/Transaction/value/events/0/CreatedEvent/contractId')
  const found = objectIn(await wire.post('/v2/events/events-by-contract-id', { contractId, eventFormat }))
  t.equal(at(found, '/created/createdEvent/acsDelta'), false)
  t.ok(isJsonObject(found['archived'] ?? null))
})
