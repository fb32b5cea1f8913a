/** Observations in whole runs of this suite on 3.5.10. */
import t from 'tap'
import type { PreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import type { JsonValue } from '../../../lib/json/json.js'
import {
  altered,
  createPing,
  type ExternalEnvironment,
  eveEnvironment,
  execute,
  executePath,
  execution,
  type Signer,
} from '../../support/ledgers/external-environment.js'
import { reworked } from '../../support/replay/damaged-prepared.js'
import { at } from '../../support/replay/replay-variables.js'

async function failedStatus(
  environment: ExternalEnvironment,
  { party }: Signer,
  bytes: Buffer,
  signer: Signer,
): Promise<JsonValue> {
  const beginExclusive = await environment.ledgerEnd()
  await execute(environment, execution(bytes, [signer]), executePath)
  const requested = { beginExclusive, userId: 'user', parties: [party] }
  const answer = await environment.wire.post('/v2/commands/completions?limit=1', requested)
  return at(answer.json(), '/0/completionResponse/Completion/value/status') ?? null
}

t.test('omits the trace in a completion if the answer omits it', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const first = await environment.prepare(eve.party, createPing(eve))
  const again = altered(first, { set: { 'metadata.submitter_info.command_id': 'another' } })
  await execute(environment, execution(first, [eve]), executePath)
  const repeated = await failedStatus(environment, eve, again, eve)
  t.match(at(repeated, '/message'), /^DUPLICATE_CONFIRMATION_REQUEST_UUID\(5,0\): /)
  t.strictSame(at(repeated, '/details')?.toString(), '[object Object]', 'the error alone')
  const old = ({ metadata }: PreparedTransaction) => ({
    metadata: { ...metadata, preparationTime: metadata.preparationTime - 200_000_000_000n },
  })
  const untrue = reworked(await environment.prepare(eve.party, createPing(eve)), old)
  const redacted = await failedStatus(environment, eve, untrue, eve)
  t.match(at(redacted, '/message'), / <no-correlation-id> with tid <no-tid>$/)
  t.strictSame(at(redacted, '/details'), [])
})
