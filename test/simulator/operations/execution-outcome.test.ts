/** The reported outcome of an execution. */
import t from 'tap'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.js'
import { makeSigningKey } from '../../../runner/sign/signing-key.js'
import {
  createPing,
  type ExternalEnvironment,
  eveEnvironment,
  execute,
  executePath,
  execution,
  outcomeOf,
  refused,
  waitPath,
} from '../../support/ledgers/external-environment.js'
import { objectIn } from '../../support/ledgers/simulator-environment.js'
import { at } from '../../support/replay/replay-variables.js'

async function completions(
  environment: ExternalEnvironment,
  beginExclusive: JsonValue,
  body: JsonObject,
): Promise<JsonObject[]> {
  const answer = await environment.wire.post('/v2/commands/completions', { beginExclusive, ...body })
  const list = answer.json()
  if (!Array.isArray(list)) throw new Error(`no list of completions: ${answer.text}`)
  return list.flatMap((item) => {
    const value = at(item, '/completionResponse/Completion/value')
    return isJsonObject(value ?? null) ? [value as JsonObject] : [] // checked above
  })
}

t.test('reports the outcome in completions for each operation', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const pat = await environment.onboard('pat', [makeSigningKey('p256')])
  for (const path of [executePath, waitPath]) {
    const begin = await environment.ledgerEnd()
    const prepared = await environment.prepare(eve.party, createPing(eve), { commandId: `command ${path}` })
    const request = execution(prepared, [eve], { submissionId: 'first' })
    t.equal(outcomeOf(await execute(environment, request, path)), 200)
    const again = await execute(environment, { ...request, submissionId: 'second' }, path)
    t.equal(outcomeOf(again), path === executePath ? 200 : '409 DUPLICATE_COMMAND')
    const mine = { userId: 'user', parties: [eve.party] }
    const [accepted, refusal, ...more] = await completions(environment, begin, mine)
    t.strictSame(more, [])
    t.match(accepted, {
      commandId: `command ${path}`,
      submissionId: 'first',
      userId: 'user',
      actAs: [eve.party],
      status: { code: 0, message: '' },
      updateId: /^1220/,
    })
    t.match(refusal, {
      commandId: `command ${path}`,
      submissionId: 'second',
      updateId: '',
      status: { code: 6, message: /^DUPLICATE_COMMAND\(10,/ },
    })
    const details = at(refusal ?? {}, '/status/details')
    const kinds = Array.isArray(details) ? details.map((item) => String(at(item, '/typeUrl')).split('.').at(-1)) : []
    t.strictSame(kinds, ['ErrorInfo', 'RequestInfo'])
    t.match(at(refusal ?? {}, '/status/details/0/valueDecoded'), {
      reason: 'DUPLICATE_COMMAND',
      metadata: {
        category: '10',
        existingSubmissionId: 'Some(first)',
        completion_offset: String(accepted?.['offset']),
      },
    })
    t.strictSame(await completions(environment, begin, { ...mine, userId: 'another' }), [], 'another user')
    t.strictSame(await completions(environment, begin, { ...mine, parties: [pat.party] }), [], 'another party')
    t.equal((await completions(environment, accepted?.['offset'] ?? 0, mine)).length, 1, 'after an offset')
    const signed = execution(prepared, [pat], { submissionId: 'third' })
    t.equal(outcomeOf(await execute(environment, signed, path)), refused)
    t.equal((await completions(environment, begin, mine)).length, 2, 'an immediate rejection has no completion')
  }
})

t.test('returns the offset of the transaction from execute-and-wait', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const begin = await environment.ledgerEnd()
  const answer = objectIn(
    await execute(environment, execution(await environment.prepare(eve.party, createPing(eve)), [eve])),
  )
  const [completion] = await completions(environment, begin, { userId: 'user', parties: [eve.party] })
  t.strictSame(answer, { updateId: completion?.['updateId'], completionOffset: completion?.['offset'] })
})
