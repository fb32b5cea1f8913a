/** Contracts that readers see, and validation of their filters. */
import t from 'tap'
import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import { behaviourOf } from '../../../simulator/base/behaviour.js'
import { LedgerError } from '../../../simulator/base/errors.js'
import { checkTransactionFormat, select } from '../../../simulator/codec/checked-format.js'
import { transactionFormat } from '../../../simulator/codec/event-format.js'
import { errorBody } from '../../../simulator/http/error-body.js'
import { decodeBody } from '../../../simulator/json/decode.js'
import { ledgerEnvironment } from '../../support/ledgers/ledger-environment.js'
import { modelEnvironment } from '../../support/ledgers/model-environment.js'
import { conformanceModel } from '../../support/ledgers/model-packages.js'
import { objectIn } from '../../support/ledgers/simulator-environment.js'
import {
  acsPath,
  activeContract,
  codeOf,
  create,
  interfaceOf,
  note,
  objects,
  only,
  submit,
  template,
  textsOf,
  wildcard,
} from '../../support/suites/reading.js'

const behaviour = behaviourOf('canton-3.5')
const { ledger } = ledgerEnvironment()

/** `accepted`: no error. */
function refusal(eventFormat: JsonObject | null): JsonValue {
  const body = decodeBody(
    transactionFormat,
    { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
    behaviour.has,
  )
  try {
    checkTransactionFormat(body, { ledger, behaviour }, 'format')
    return 'accepted'
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    return errorBody(error.details, { traceId: 'ab', submissionId: 's', submission: '', hasPlainResources: false }).body
  }
}

const context = (category: string): JsonObject => ({
  participant: category === '11' ? 'sandbox' : "'sandbox'",
  definite_answer: 'false',
  category,
})

t.test('rejects an event format without filters or with unknown names', async (t) => {
  const missing = { code: 'MISSING_FIELD', context: { ...context('8'), field_name: 'event_format' } }
  const byId = template(`${conformanceModel.id}:Conformance:Note`)
  const rows: [format: JsonObject | null, expected: { code: string; cause?: RegExp; context?: JsonObject }][] = [
    [null, missing],
    [{}, { code: 'INVALID_ARGUMENT', context: context('8') }],
    [{ filtersByParty: {}, verbose: true }, { code: 'INVALID_ARGUMENT' }],
    [only('a.b', wildcard), { code: 'INVALID_ARGUMENT', cause: /non expected character/ }],
    [only('eve', byId), { code: 'INVALID_FIELD', context: context('8'), cause: /expected a package name/ }],
    [only('eve', template('#no such:M:T')), { code: 'INVALID_FIELD', cause: /package reference/ }],
    [only('eve', template('#no-such:M:T')), { code: 'PACKAGE_NAMES_NOT_FOUND', context: context('11') }],
    [only('eve', template('#no-such:M:T'), byId), { code: 'INVALID_FIELD' }],
    [{ filtersForAnyParty: { cumulative: [{ identifierFilter: byId }] } }, { code: 'INVALID_FIELD' }],
    [
      only('eve', wildcard, template('#conformance-model:Conformance:Holding')),
      { code: 'NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME', cause: /\(conformance-model,Conformance:Holding\)/ },
    ],
    [
      only('eve', interfaceOf('#conformance-model:Conformance:Note')),
      { code: 'NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME' },
    ],
  ]
  for (const [format, expected] of rows) {
    const untraced = { traceId: null, correlationId: null, resources: [], retryInfo: null, definiteAnswer: null }
    const { context: exactly, ...rest } = expected
    const body = refusal(format)
    t.match(body, { ...rest, ...untraced })
    if (exactly) t.strictSame(body instanceof Object && 'context' in body ? body['context'] : undefined, exactly)
  }
})

t.test('accepts valid event formats', async (t) => {
  const found = [template('#conformance-model:Conformance:Note'), interfaceOf('#conformance-model:Conformance:Holding')]
  const any = { filtersForAnyParty: { cumulative: [{ identifierFilter: wildcard }] } }
  for (const format of [only('eve', ...found), only('eve'), any, only('eve', { Empty: {} }), only('zoe', wildcard)]) {
    t.equal(refusal(format), 'accepted')
  }
})

t.test('matches module and entity only within the named package', async (t) => {
  const { ledger, create: made, alice, bob } = ledgerEnvironment()
  const id = made(alice, 'Asset', { issuer: alice, owner: bob, name: 'gold', amount: '3' })
  const contract = ledger.stored(id)?.contract
  if (!contract) throw new Error('the contract does not exist')
  const selected = (kind: 'template' | 'interface', packageName: string, entity: string) => {
    const filter = { kind, id: { packageName, module: 'Conformance', entity }, view: true, blob: false }
    return select(
      { byParty: new Map([[bob, [filter]]]), forAnyParty: undefined },
      contract,
      [alice, bob],
      ledger.packages,
    )
  }
  for (const [kind, entity] of [
    ['template', 'Asset'],
    ['interface', 'Holding'],
  ] as const) {
    t.strictSame(selected(kind, 'conformance-model', entity)?.parties, new Set([bob]))
    t.equal(selected(kind, 'other', entity), undefined)
  }
  t.equal(selected('template', 'conformance-model', 'Holding'), undefined)
})

t.test('lists active contracts with both members for the format', async (t) => {
  const environment = await modelEnvironment(t)
  const { wire, alice, bob } = environment
  const gold = create('Asset', { issuer: alice, owner: bob, name: 'gold', amount: '3' })
  const first = await submit(environment, [note(alice, 'one', [bob]), note(alice, 'two')])
  const second = await submit(environment, [gold], { workflowId: 'w' })
  const read = async (body: JsonObject) => objects((await wire.post(acsPath, body)).json())
  const forAlice = only(alice, template('#conformance-model:Conformance:Note'))
  const now = { activeAtOffset: second.offset }

  const notes = await read({ ...now, eventFormat: forAlice })
  t.strictSame(textsOf(notes), ['one', 'two'], 'in the order of creation')
  t.strictSame(await read({ ...now, filter: forAlice, verbose: true }), notes, 'the deprecated member')
  t.match(notes[0], { workflowId: '', contractEntry: { JsActiveContract: { reassignmentCounter: 0 } } })
  t.strictSame(textsOf(await read({ ...now, eventFormat: only(bob, wildcard) })), ['one', null])
  t.strictSame(textsOf(await read({ activeAtOffset: first.offset, eventFormat: only(bob, wildcard) })), ['one'])
  t.strictSame(await read({ activeAtOffset: 0, eventFormat: forAlice }), [], 'before the first transaction')

  const [holding] = await read({
    ...now,
    eventFormat: only(bob, interfaceOf('#conformance-model:Conformance:Holding')),
  })
  t.equal(holding?.['workflowId'], 'w')
  t.match(activeContract(holding ?? {}), {
    createArgument: { name: 'gold' },
    interfaceViews: [{ viewValue: { owner: bob, amount: '3' }, implementationPackageId: conformanceModel.id }],
    witnessParties: [bob],
    createdEventBlob: '',
  })
  const requested = {
    TemplateFilter: { value: { templateId: '#conformance-model:Conformance:Asset', includeCreatedEventBlob: true } },
  }
  const [asset] = await read({ ...now, eventFormat: only(bob, requested) })
  t.match(activeContract(asset ?? {}), { interfaceViews: [], createdEventBlob: /^[\w+/]+=*$/ })

  const refused = async (body: JsonObject, expected: string) =>
    t.equal(codeOf(await wire.post(acsPath, body)), expected)
  await refused({ ...now }, '400 INVALID_ARGUMENT')
  await refused({ ...now, filter: forAlice, eventFormat: forAlice }, '400 INVALID_ARGUMENT')
  await refused({ ...now, verbose: true, eventFormat: forAlice }, '400 INVALID_ARGUMENT')
  await refused({ activeAtOffset: -1, eventFormat: forAlice }, '400 NEGATIVE_OFFSET')
  await refused({ activeAtOffset: second.offset + 1, eventFormat: forAlice }, '400 OFFSET_AFTER_LEDGER_END')
  await refused(
    { ...now, eventFormat: only(alice, template('#conformance-model:Conformance:No')) },
    '404 NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME',
  )
})

t.test('limits a list, and continues after each of its elements', async (t) => {
  const environment = await modelEnvironment(t)
  const { wire, alice } = environment
  const texts = Array.from({ length: 201 }, (_, index) => String(index))
  const { offset } = await submit(
    environment,
    texts.map((text) => note(alice, text)),
  )
  const body = { activeAtOffset: offset, eventFormat: only(alice) }
  const tooMany = await wire.post(acsPath, body)
  t.match(
    { ...tooMany, body: tooMany.json() },
    {
      status: 413,
      contentType: 'application/json',
      body: {
        code: 'JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED',
        errorCategory: 2,
        retryInfo: '1 second',
        definiteAnswer: false,
      },
    },
  )
  t.equal(codeOf(await wire.post(`${acsPath}?limit=1000`, body)), '413 JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED')
  const most = objects((await wire.post(`${acsPath}?limit=200`, body)).json())
  t.strictSame(textsOf(most), texts.slice(0, 200))
  t.strictSame((await wire.post(`${acsPath}?limit=0`, body)).json(), [])
  t.equal(codeOf(await wire.post(`${acsPath}?limit=two`, body)), '400 Invalid value for: query parameter limit')

  const streamContinuationToken = most[197]?.['streamContinuationToken'] ?? ''
  const rest = objects((await wire.post(acsPath, { ...body, streamContinuationToken })).json())
  t.strictSame(textsOf(rest), texts.slice(198))
  const otherwise = { ...body, eventFormat: only(alice, wildcard, template('#conformance-model:Conformance:Note')) }
  for (const bad of [
    { ...otherwise, streamContinuationToken },
    { ...body, streamContinuationToken: 'AAAA' },
  ]) {
    t.equal(codeOf(await wire.post(acsPath, bad)), '400 INVALID_ARGUMENT', 'a token is bound to its request')
  }
})

const pagePath = '/v2/state/active-contracts-page'

t.test('returns pages of the same active contracts', async (t) => {
  const environment = await modelEnvironment(t)
  const { wire, alice, ledgerEnd } = environment
  await submit(
    environment,
    ['a', 'b', 'c', 'd'].map((text) => note(alice, text)),
  )
  const end = await ledgerEnd()
  const ask = async (method: string, body: JsonObject) =>
    await wire.send({ method, path: pagePath, body: JSON.stringify(body) })
  for (const method of ['POST', 'GET']) {
    const seen: JsonValue[] = []
    let pageToken: JsonValue = ''
    for (let pages = 0; pages < 5 && pageToken !== null; pages += 1) {
      const page = objectIn(await ask(method, { eventFormat: only(alice), maxPageSize: 3, pageToken }))
      const entries = objects(page['activeContracts'] ?? null)
      seen.push(textsOf(entries))
      t.ok(entries.every((entry) => entry['streamContinuationToken'] === ''))
      if (pages === 0 && method === 'POST') await submit(environment, [note(alice, 'later')])
      if (method === 'POST') t.equal(page['activeAtOffset'], end)
      pageToken = 'nextPageToken' in page ? (page['nextPageToken'] ?? null) : 'absent'
    }
    t.strictSame(
      seen,
      method === 'POST'
        ? [['a', 'b', 'c'], ['d']]
        : [
            ['a', 'b', 'c'],
            ['d', 'later'],
          ],
    )
  }
  for (const maxPageSize of [0, -1, 1001]) {
    t.equal(codeOf(await ask('POST', { eventFormat: only(alice), maxPageSize })), '400 INVALID_ARGUMENT')
  }
  t.equal(codeOf(await ask('POST', {})), '400 MISSING_FIELD')
  t.equal(
    codeOf(await ask('POST', { eventFormat: only(alice), activeAtOffset: 99_999 })),
    '400 OFFSET_AFTER_LEDGER_END',
  )
})
