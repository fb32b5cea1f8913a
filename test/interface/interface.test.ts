/** The interface description: operations, references and request schemas. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { responseCheck as checkResponse } from '../../interface/description.js'
import { type OperationName, operations, type SupportName, supportOperations } from '../../interface/operations.js'
import { JsonNumber, type JsonObject, type JsonValue, parseJson } from '../../lib/json/json.js'
import { wantedText } from '../../reports/wording/fact-text.js'
import { openapiDocument, openapiText } from './openapi-document.js'

/** With the violations in words. */
const responseCheck = (...given: Parameters<typeof checkResponse>) => {
  const check = checkResponse(...given)
  return (body: JsonValue): { pointer: string; message: string }[] =>
    check(body).map(({ pointer, keyword, argument }) => ({
      pointer,
      message: wantedText({ check: 'shape', wanted: [keyword, argument] }),
    }))
}

interface RecordedAnswer {
  operation: OperationName
  status: number
  scenario: string
  body: JsonObject
}

const recordings = new URL('../../../test/recordings/responses.json', import.meta.url)
const answers = JSON.parse(readFileSync(recordings, 'utf8')) as RecordedAnswer[] // our own data, in this form
const schemas = openapiDocument.components?.schemas ?? {}

const recorded = (scenario: string): RecordedAnswer => {
  const found = answers.find((answer) => answer.scenario === scenario)
  if (!found) throw new Error(`no recorded answer ${scenario}`)
  return found
}

/** Undefined removes the value. */
function changed(body: JsonValue, pointer: string, value: JsonValue | undefined): JsonValue {
  const names = pointer.split('/').slice(1)
  const last = names.pop()
  if (last === undefined) return value ?? null
  const copy = structuredClone(body)
  const step = (node: JsonValue, name: string): JsonValue => (node as JsonObject)[name] ?? null // arrays are indexed alike
  const parent = names.reduce(step, copy) as JsonObject // as above
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

t.test('the document describes the five operations, and supporting ones with their tag', async (t) => {
  const described = Object.entries(openapiDocument.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).flatMap(([method, given]) => {
      const operation = given as { operationId?: string; tags?: string[] } // or the parameters of the path
      const { operationId: name, tags } = operation
      return name === undefined
        ? []
        : [{ name, method: method.toUpperCase(), path, isSupport: tags?.[0] === 'support' }]
    }),
  )
  t.strictSame(
    described.filter(({ isSupport }) => !isSupport).map(({ name, method, path }) => ({ name, method, path })),
    Object.values(operations).map(({ name, method, path }) => ({ name, method, path })),
  )
  for (const { name, method, path } of described.filter(({ isSupport }) => isSupport))
    t.match(supportOperations[name as SupportName], { method, path }, name)
  for (const { path } of Object.values(operations)) {
    const { requestBody, responses, tags } = openapiDocument.paths?.[path]?.post ?? {}
    t.ok(requestBody && tags, `${path} has a body and a tag`)
    t.strictSame(Object.keys(responses ?? {}), ['2XX', 'default'])
  }
})

t.test('every reference in the document resolves, and every schema is used', async (t) => {
  const used = new Set(Array.from(openapiText.matchAll(/#\/components\/schemas\/(\w+)/g), ([, name]) => name))
  t.strictSame([...used].sort(), Object.keys(schemas).sort())
})

t.test('operations have distinct paths and names', async (t) => {
  const all = [...Object.entries(operations), ...Object.entries(supportOperations)]
  for (const [key, { name }] of all) t.equal(name, key)
  t.equal(new Set(all.map(([, { method, path }]) => `${method} ${path}`)).size, 5 + 28)
})

t.test('the request schemas accept valid requests and reject invalid ones', async (t) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ ...openapiDocument, $id: 'document' })
  const check = (name: string, body: JsonValue): boolean => ajv.validate(`document#/components/schemas/${name}`, body)
  for (const name of Object.keys(schemas))
    t.ok(ajv.getSchema(`document#/components/schemas/${name}`), `${name} compiles`)

  const create = { CreateCommand: { templateId: '#ping:Ping:Ping', createArguments: {} } }
  const exercise = { templateId: 'ab:M:E', contractId: `00${'ab'.repeat(32)}`, choice: 'Go', choiceArgument: {} }
  const submission = { commands: [create], commandId: 'c', actAs: ['alice::1220'] }
  const signature = { format: 'SIGNATURE_FORMAT_CONCAT', signature: 'AA==', signedBy: '1220ab' }
  const execution = {
    preparedTransaction: 'CgA=',
    partySignatures: {
      signatures: [
        { party: 'eve::1220', signatures: [{ ...signature, signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519' }] },
      ],
    },
    submissionId: 's',
    hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
  }
  const vet = { operation: { Vet: { value: { packages: [{ packageName: 'ping', packageVersion: '3.4.0' }] } } } }
  const time = '2030-01-01T00:00:00+01:00'
  const filter = { eventFormat: { filtersByParty: { eve: {} } }, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' }
  const rows: [schema: string, body: JsonObject, pointer: string, value: JsonValue | undefined, accepted: boolean][] = [
    ['SubmitAndWaitRequest', submission, '/userId', 'alice@example', true],
    ['SubmitAndWaitRequest', submission, '/userId', '', true],
    ['SubmitAndWaitRequest', submission, '/userId', 'a{b', false],
    ['SubmitAndWaitRequest', submission, '/commands', [], false],
    ['SubmitAndWaitRequest', submission, '/commands/0/Unknown', {}, false],
    ['SubmitAndWaitRequest', submission, '/commands/0/ExerciseCommand', exercise, false],
    ['SubmitAndWaitRequest', submission, '/commands/0/CreateCommand', undefined, false],
    ['SubmitAndWaitRequest', submission, '/commands/0/CreateCommand/templateId', 'ping', false],
    ['SubmitAndWaitRequest', submission, '/actAs', [], false],
    ['SubmitAndWaitRequest', submission, '/actAs/0', 'a.b', false],
    ['SubmitAndWaitRequest', submission, '/commandId', undefined, false],
    ['SubmitAndWaitRequest', submission, '/commandId', '', false],
    ['SubmitAndWaitRequest', submission, '/minLedgerTimeAbs', time, true],
    ['SubmitAndWaitRequest', submission, '/minLedgerTimeAbs', '2030-01-01T00:00:00', false],
    ['SubmitAndWaitRequest', { ...submission, minLedgerTimeAbs: time }, '/minLedgerTimeRel', { seconds: 1 }, false],
    ['SubmitAndWaitRequest', { ...submission, minLedgerTimeAbs: time }, '/minLedgerTimeRel', null, true],
    ['SubmitAndWaitRequest', submission, '/deduplicationPeriod', { DeduplicationOffset: { value: -1 } }, false],
    ['SubmitAndWaitRequest', submission, '/deduplicationPeriod', { Empty: {} }, true],
    ['SubmitAndWaitRequest', submission, '/deduplicationPeriod', {}, false],
    ['SubmitAndWaitRequest', submission, '/tapsMaxPasses', 2 ** 31, false],
    ['ExecuteRequest', execution, '/minLedgerTime', { time: { MinLedgerTimeAbs: { value: time } } }, true],
    ['ExecuteRequest', execution, '/hashingSchemeVersion', 'HASHING_SCHEME_VERSION_V9', false],
    ['ExecuteRequest', execution, '/partySignatures/signatures/0/signatures/0/format', undefined, false],
    ['ExecuteAndWaitForTransactionRequest', execution, '/submissionId', undefined, false],
    ['ExecuteAndWaitForTransactionRequest', execution, '/transactionFormat', filter, true],
    ['ExecuteAndWaitForTransactionRequest', execution, '/transactionFormat', { verbose: true }, false],
    ['UpdatePackageVettingRequest', { changes: [vet] }, '/dryRun', true, true],
    ['UpdatePackageVettingRequest', { changes: [vet] }, '/changes', [], false],
    ['UpdatePackageVettingRequest', { changes: [vet] }, '/expectedTopologySerial', { serial: { NoPrior: null } }, true],
    ['UpdatePackageVettingRequest', { changes: [vet] }, '/expectedTopologySerial', { serial: {} }, false],
    ['ContractByIdRequest', {}, '/contractId', `00${'ab'.repeat(32)}`, true],
    ['ContractByIdRequest', {}, '/contractId', '#1:0', false],
  ]
  for (const [schema, body, pointer, value, accepted] of rows) {
    t.equal(check(schema, changed(body, pointer, value)), accepted, `${schema} ${pointer} = ${JSON.stringify(value)}`)
  }
})

t.test('every recorded answer of the reference participant fits its schema', async (t) => {
  for (const { operation, status, scenario, body } of answers) {
    t.strictSame(responseCheck(operation, status)(body), [], `${operation} ${status} ${scenario}`)
    t.strictSame(responseCheck(operation, status, 'text')(body), [], `${scenario}, by the text alone`)
  }
  t.strictSame(
    [...new Set(answers.filter(({ status }) => status === 200).map(({ operation }) => operation))].sort(),
    Object.keys(operations).sort(),
    'all five operations were recorded',
  )
})

t.test('an invalid answer violates its schema, and the finding names place and fault', async (t) => {
  const created = '/transaction/events/0/CreatedEvent'
  const rows: [
    scenario: string,
    pointer: string,
    value: JsonValue | undefined,
    at: string,
    message: string | RegExp,
  ][] = [
    ['world', '/updateId', undefined, '', "must have required property 'updateId'"],
    ['world', '/updateId', 7, '/updateId', 'must be string'],
    ['world', '/completionOffset', '7', '/completionOffset', 'must be integer'],
    ['world', '/completionOffset', new JsonNumber('1.50'), '/completionOffset', 'must be integer'],
    ['world', '/completionOffset', new JsonNumber('1e30'), '/completionOffset', 'must match format "int64"'],
    ['world', '', [], '', 'must be object'],
    ['world', '', new JsonNumber('1.50'), '', 'must be object'],
    ['exec-right', '', null, '', 'must be object'],
    ['shown-sample', '/createdEvent', null, '/createdEvent', 'must be object'],
    [
      'shown-sample',
      '/createdEvent/createdAt',
      '2026-02-30T00:00:00Z',
      '/createdEvent/createdAt',
      /must match format "date-time"/,
    ],
    [
      'shown-sample',
      '/createdEvent/createdAt',
      '2026-02-03T00:00:00+01:00',
      '/createdEvent/createdAt',
      /must match pattern/,
    ],
    ['shown-sample', '/createdEvent/signatories', [], '/createdEvent/signatories', /NOT have fewer than 1 items/],
    ['shown-sample', '/createdEvent/witnessParties/0', 'a.b', '/createdEvent/witnessParties/0', /must match pattern/],
    [
      'shown-sample',
      '/createdEvent/representativePackageId',
      '',
      '/createdEvent/representativePackageId',
      /fewer than 1 char/,
    ],
    ['external-echo', '/transaction/events', null, '/transaction/events', 'must be array'],
    ['external-all-types', `${created}/offset`, null, `${created}/offset`, 'must be integer'],
    ['external-all-types', `${created}/contractId`, 'abc', `${created}/contractId`, /must match pattern/],
    ['external-all-types', `${created}/templateId`, '#model:A:B', `${created}/templateId`, /must match pattern/],
    [
      'external-interface-filter',
      `${created}/interfaceViews/0/viewStatus`,
      null,
      `${created}/interfaceViews/0/viewStatus`,
      /object/,
    ],
    ['vet-dry-bounds', '/newVettedPackages', null, '/newVettedPackages', 'must be object'],
    ['vet-dry-bounds', '/newVettedPackages/topologySerial', 0, '/newVettedPackages/topologySerial', /must be >= 1/],
    [
      'vet-dry-bounds',
      '/pastVettedPackages/synchronizerId',
      'x',
      '/pastVettedPackages/synchronizerId',
      /must match pattern/,
    ],
    ['cbi-empty-id', '/code', undefined, '', "must have required property 'code'"],
    ['cbi-empty-id', '/context/field_name', 1, '/context/field_name', 'must be string'],
    ['cbi-empty-id', '/errorCategory', 99, '/errorCategory', /must be one of \[-1,1,2,.*14\]$/],
    ['cbi-empty-id', '/resources', [['PARTY']], '/resources/0', /must NOT have fewer than 2 items/],
  ]
  for (const [scenario, pointer, value, at, message] of rows) {
    const { operation, status, body } = recorded(scenario)
    const found = responseCheck(operation, status)(changed(body, pointer, value))
    const says = (text: string): boolean => (typeof message === 'string' ? text === message : message.test(text))
    const fits = found.filter((item) => item.pointer === at && says(item.message))
    t.ok(fits.length > 0, `${scenario} ${pointer}: ${JSON.stringify(found)}`)
    t.ok(
      found.every((item) => item.pointer === at),
      `${scenario} ${pointer}: nothing else is blamed`,
    )
  }
})

t.test('an event with no, an unknown or several kinds is reported with its keys', async (t) => {
  const { operation, body } = recorded('external-all-types')
  const first = '/transaction/events/0'
  const findings = (event: JsonValue) => responseCheck(operation, 200)(changed(body, first, event))
  const kinds = 'must have exactly one of the keys ArchivedEvent, CreatedEvent, ExercisedEvent; it has '
  t.strictSame(findings({}), [
    { pointer: first, message: 'must have at least 1 key' },
    { pointer: first, message: `${kinds}none of them, only []` },
  ])
  t.strictSame(findings({ 'Cre\u202eated': {} }), [
    { pointer: first, message: `${kinds}none of them, only ["Cre\\u202eated"]` },
  ])
  const archived = {
    offset: 9,
    nodeId: 0,
    contractId: `00${'ab'.repeat(32)}`,
    templateId: 'ab:M:E',
    witnessParties: [],
    packageName: 'p',
  }
  const several = { pointer: first, message: 'must have at most 1 key' }
  t.match(findings({ ArchivedEvent: archived, more: 1 }), [several], 'one key names the kind')
  const both = findings({ ArchivedEvent: archived, ExercisedEvent: null })
  t.match(both, [
    several,
    { pointer: `${first}/ExercisedEvent`, message: 'must be object' },
    { pointer: first, message: `${kinds}ArchivedEvent and ExercisedEvent` },
  ])
  const byText = (event: JsonValue) => responseCheck(operation, 200, 'text')(changed(body, first, event))
  t.strictSame(byText({ FutureEvent: {} }), [], 'the text permits further kinds')
  t.match(byText({ FutureEvent: {}, more: 1 }), [{ pointer: first, message: 'must have at most 1 key' }])
  t.match(byText({}), [{ pointer: first, message: 'must have at least 1 key' }])
})

t.test('the text basis ignores facts', async (t) => {
  const check = responseCheck('contract-by-id', 200, 'text')
  const event = { representativePackageId: 'any form !', contractId: 'c1', offset: null }
  t.strictSame(check({ createdEvent: event }), [])
  t.match(check({ createdEvent: { ...event, contractId: 7 } }), [{ pointer: '/createdEvent/contractId' }])
  t.match(check({ createdEvent: { contractId: 'c1' } }), [{ pointer: '/createdEvent' }])
  t.strictSame(responseCheck('execute', 400, 'text')({ any: 'error' }), [])
  const vetted = responseCheck('update-package-vetting', 200, 'text')
  t.strictSame(vetted({ newVettedPackages: { packages: [] }, pastVettedPackages: {} }), [])
})

t.test('members that the text does not define are marked as facts', async (t) => {
  const found: string[] = []
  const read = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null || ('x-source' in node && node['x-source'] === 'facts')) return
    for (const [name, value] of Object.entries(node)) {
      const isWritten = ['format', 'contentEncoding', 'pattern'].includes(name) && typeof value === 'string'
      if (isWritten || name === 'const') found.push(`${path}/${name}`)
      if (name === 'type' && [value].flat().includes('null')) found.push(`${path}/null`)
      if (name === 'description' && /reference participant/.test(String(value))) found.push(`${path}/${name}`)
      read(value, `${path}/${name}`)
    }
  }
  read(schemas, '')
  t.strictSame(found, [
    '/SubmitAndWaitRequest/properties/tapsMaxPasses/anyOf/0/format',
    '/SubmitAndWaitResponse/properties/completionOffset/format',
  ])
  const detail = { valueDecoded: { reason: 'x' } }
  const view = { viewStatus: { code: 2 ** 40, details: [detail] } }
  const body = { transaction: { events: [{ CreatedEvent: { interfaceViews: [view] } }] } }
  const at = '/transaction/events/0/CreatedEvent/interfaceViews/0/viewStatus/details/0/valueDecoded'
  const byText = responseCheck('execute-and-wait-for-transaction', 200, 'text')(body)
  t.strictSame(byText, [{ pointer: at, message: 'must be string' }], 'facts permit nothing on the text basis')
})

t.test('unpopulated members of a returned contract may be absent, null or empty', async (t) => {
  const { operation, body } = recorded('shown-sample')
  const unpopulated = { offset: null, nodeId: null, createdEventBlob: '', interfaceViews: [], acsDelta: null }
  for (const [name, empty] of Object.entries(unpopulated)) {
    for (const value of [undefined, null, empty]) {
      t.strictSame(
        responseCheck(operation, 200)(changed(body, `/createdEvent/${name}`, value)),
        [],
        `${name}: ${value}`,
      )
    }
  }
})

t.test('64-bit integers are valid integers, and hostile bodies are checked within the time limit', async (t) => {
  const check = responseCheck('submit-and-wait', 200)
  const { updateId = null } = recorded('world').body
  t.strictSame(check({ updateId, completionOffset: new JsonNumber('9223372036854775807') }), [])
  t.strictSame(check({ updateId, completionOffset: new JsonNumber('1e3') }), [])
  t.match(check({ updateId, completionOffset: new JsonNumber('1e400') }), [{ pointer: '/completionOffset' }])
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  t.strictSame(check(parseJson(`{"updateId":${JSON.stringify(updateId)},"completionOffset":1,"x":${deep}}`)), [])
  t.match(check(parseJson('{"__proto__":{"updateId":"a","completionOffset":1}}')), [{ pointer: '' }, { pointer: '' }])
  const events = responseCheck('execute-and-wait-for-transaction', 200)
  const { transaction = null } = recorded('external-echo').body
  const wrong = (count: number) => events(changed({ transaction }, '/transaction/events', Array(count).fill(1)))
  t.equal(wrong(1000).length, 100, 'the number of findings is limited')
  t.equal(wrong(600_000).length, 1, 'a huge body is checked up to its first fault')
})
