/** Permitted clients of an execution, and its reported outcome. */
import { SignJWT } from 'jose'
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
  externalEnvironment,
  hashOf,
  outcomeOf,
  refused,
  transactionPath,
  waitPath,
} from '../../support/ledgers/external-environment.js'
import { objectIn } from '../../support/ledgers/simulator-environment.js'
import { at } from '../../support/replay/replay-variables.js'

const secret = 'secret'

async function bearer(sub: string): Promise<Record<string, string>> {
  const claims = { sub, scope: 'daml_ledger_api', exp: Math.floor(Date.now() / 1000) + 240 }
  const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret))
  return { authorization: `Bearer ${token}` }
}

t.test('executes only for the acting party with sufficient rights', async (t) => {
  const admin = await bearer('participant_admin')
  const environment = await externalEnvironment(t, { authorization: `hs256:${secret}` }, admin)
  const eve = await environment.onboard('eve', [makeSigningKey('ed25519')])
  const rights: [user: string, right: JsonObject, allowed: boolean][] = [
    ['actor', { CanActAs: { value: { party: eve.party } } }, true],
    ['executor', { CanExecuteAs: { value: { party: eve.party } } }, true],
    ['any-executor', { CanExecuteAsAnyParty: { value: {} } }, true],
    ['reader', { CanReadAs: { value: { party: eve.party } } }, false],
    ['any-reader', { CanReadAsAnyParty: { value: {} } }, false],
    ['administrator', { ParticipantAdmin: { value: {} } }, false],
    ['other', { CanActAs: { value: { party: environment.alice } } }, false],
  ]
  for (const [id, kind] of rights) {
    await environment.wire.post('/v2/users', { user: { id }, rights: [{ kind }] }, admin)
  }
  await environment.wire.post(
    '/v2/users/participant_admin/rights',
    { userId: 'participant_admin', rights: [{ kind: { CanReadAs: { value: { party: eve.party } } } }] },
    admin,
  )
  const prepare = () => environment.prepare(eve.party, createPing(eve), { userId: '' })
  const send = async (user: string, path: string, more: JsonObject = {}, headers?: Record<string, string>) => {
    const request = execution(await prepare(), [eve], { userId: '', ...more })
    return outcomeOf(await environment.wire.post(path, request, headers ?? (await bearer(user))))
  }
  for (const [user, , allowed] of rights) {
    for (const path of [executePath, waitPath, transactionPath])
      t.equal(await send(user, path), allowed ? 200 : '403 NA', `${user} ${path}`)
  }
  t.equal(await send('executor', waitPath, { userId: 'executor' }), 200, 'the own user id is permitted')
  t.equal(await send('executor', waitPath, { userId: 'actor' }), '403 NA', 'another user id is not')
  t.equal(await send('', waitPath, {}, {}), '401 NA')
  const formatFor = (party: string) => ({
    transactionFormat: {
      eventFormat: { filtersByParty: { [party]: {} }, verbose: true },
      transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
    },
  })
  t.equal(await send('actor', transactionPath, formatFor(eve.party)), 200)
  t.equal(
    await send('actor', transactionPath, formatFor(environment.alice)),
    '403 NA',
    'a caller without read rights receives no transaction',
  )
  t.equal(
    await send('executor', transactionPath, formatFor(eve.party)),
    '403 NA',
    'the right to execute does not include reading',
  )
  // Rejected before the commit, unlike other mistakes.
  for (const eventFormat of [{ filtersByParty: {}, verbose: true }, { verbose: true }]) {
    const prepared = execution(await prepare(), [eve], { userId: '' })
    const unfiltered = {
      ...prepared,
      transactionFormat: { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
    }
    const actor = await bearer('actor')
    t.equal(outcomeOf(await environment.wire.post(transactionPath, unfiltered, actor)), '403 NA', 'without filters')
    t.equal(outcomeOf(await environment.wire.post(transactionPath, prepared, actor)), 200, 'nothing was committed')
  }
})

t.test('shows the events that the format selects, possibly none', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const transactionShape = 'TRANSACTION_SHAPE_ACS_DELTA'
  const filtered = (eventFormat: JsonObject) => ({ transactionFormat: { eventFormat, transactionShape } })
  const formats: [title: string, more: JsonObject, events: number][] = [
    ['none', {}, 1],
    ['null', { transactionFormat: null }, 1],
    ['her', filtered({ filtersByParty: { [eve.party]: {} }, verbose: false }), 1],
    ['anybody', filtered({ filtersByParty: {}, filtersForAnyParty: {}, verbose: true }), 1],
    ['another party', filtered({ filtersByParty: { [environment.alice]: {} }, verbose: true }), 0],
  ]
  for (const [title, more, count] of formats) {
    const prepared = await environment.prepare(eve.party, createPing(eve), { commandId: `shown-${title}` })
    const answer = objectIn(await execute(environment, execution(prepared, [eve], more), transactionPath))
    const events = at(answer, '/transaction/events')
    t.equal(Array.isArray(events) ? events.length : undefined, count, title)
    t.match(answer['transaction'], {
      commandId: `shown-${title}`,
      workflowId: '',
      externalTransactionHash: hashOf(prepared).toString('hex'),
      paidTrafficCost: 0,
    })
  }
})

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
