/** Requests of wallets over HTTP: execution without waiting, and completions. */
import t from 'tap'
import type { JsonObject } from '../../lib/json/json.js'
import type { KeyKind } from '../../runner/sign/signing-key.js'
import { onboard } from '../support/ledgers/onboarded-party.js'
import {
  objectIn,
  ping,
  type SimulatorEnvironment,
  simulatorEnvironment,
  textAt,
} from '../support/ledgers/simulator-environment.js'
import { stillClock } from '../support/ledgers/still-clock.js'
import { objects } from '../support/suites/reading.js'

/** Like wallets, without a content type. */
const post = async ({ wire }: SimulatorEnvironment, path: string, body: JsonObject): Promise<JsonObject> =>
  objectIn(await wire.send({ path, body: JSON.stringify(body) }))

async function outcomeOf(environment: SimulatorEnvironment, party: string, submissionId: string, begin: number) {
  let beginExclusive = begin
  for (let calls = 0; calls < 20; calls += 1) {
    const body = { userId: 'wallet', parties: [party], beginExclusive }
    const path = '/v2/commands/completions?limit=100&stream_idle_timeout_ms=1000'
    const answer = await environment.wire.send({ path, body: JSON.stringify(body) })
    const completions = objects(answer.json()).map((item) => {
      const { completionResponse } = item as { completionResponse: { Completion: { value: JsonObject } } } // the only form here
      return completionResponse.Completion.value
    })
    const found = completions.find((item) => item['submissionId'] === submissionId)
    if (found) return found
    beginExclusive = Number(completions.at(-1)?.['offset'] ?? beginExclusive)
  }
  throw new Error(`no completion of ${submissionId}`)
}

for (const kind of ['ed25519', 'p256'] satisfies KeyKind[]) {
  t.test(`prepares, signs with ${kind}, executes and polls completions`, async (t) => {
    const environment = await simulatorEnvironment(t, { clock: stillClock() })
    const { party, key } = await onboard(environment.wire, kind)
    const template = { templateId: ping, createArguments: { id: 'hello', initiator: party, responder: party } }
    const prepared = await post(environment, '/v2/interactive-submission/prepare', {
      ...{ commandId: 'hello', commands: [{ CreateCommand: template }], actAs: [party], readAs: [], userId: 'wallet' },
      ...{ synchronizerId: environment.synchronizer, packageIdSelectionPreference: [], disclosedContracts: [] },
    })
    const signature = key.sign(Buffer.from(textAt(prepared, 'preparedTransactionHash'), 'base64'))
    const execute = async (submissionId: string): Promise<JsonObject> => {
      const begin = Number(await environment.ledgerEnd())
      const answer = await post(environment, '/v2/interactive-submission/execute', {
        preparedTransaction: prepared['preparedTransaction'] ?? '',
        partySignatures: { signatures: [{ party, signatures: [signature] }] },
        ...{ hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2', deduplicationPeriod: { Empty: {} } },
        ...{ submissionId, userId: 'wallet' },
      })
      t.strictSame(answer, {}, 'the immediate answer is empty')
      return await outcomeOf(environment, party, submissionId, begin)
    }
    const accepted = await execute('first')
    t.match(accepted, { commandId: 'hello', userId: 'wallet', actAs: [party], status: { code: 0 } })
    const found = await post(environment, '/v2/updates/update-by-id', {
      updateId: accepted['updateId'] ?? '',
      updateFormat: {
        includeTransactions: {
          eventFormat: { filtersByParty: { [party]: {} } },
          transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
        },
      },
    })
    const hash = Buffer.from(textAt(prepared, 'preparedTransactionHash'), 'base64').toString('hex')
    t.match(found, {
      update: { Transaction: { value: { externalTransactionHash: hash, offset: accepted['offset'] } } },
    })
    const again = await execute('second')
    t.match(again, { status: { code: 6, message: /^DUPLICATE_COMMAND/ }, updateId: '' })
  })
}
