/** What the reading operations show, and to whom. */
import t from 'tap'
import type { JsonObject, JsonValue } from '../interface/json.js'
import { conformanceModel } from '../model/conformance-model.js'
import { packages } from '../model/packages.js'
import { LedgerError } from '../simulator/errors.js'
import { checkTransactionFormat } from '../simulator/http/checked-format.js'
import { errorBody } from '../simulator/http/error-body.js'
import { transactionFormat } from '../simulator/http/event-format.js'
import { decodeBody } from '../simulator/json/decode.js'
import { PackageStore } from '../simulator/ledger/package-store.js'

// ---------------------------------------------------------------- filters

const blob = { includeCreatedEventBlob: false }
const template = (templateId: string): JsonObject => ({ TemplateFilter: { value: { templateId, ...blob } } })
const interfaceOf = (interfaceId: string): JsonObject => ({
  InterfaceFilter: { value: { interfaceId, includeInterfaceView: true, ...blob } },
})
const wildcard: JsonObject = { WildcardFilter: { value: blob } }

/** Filters of one party. */
const only = (party: string, ...filters: JsonObject[]): JsonObject => ({
  filtersByParty: { [party]: { cumulative: filters.map((identifierFilter) => ({ identifierFilter })) } },
})

/** How a format for transactions is refused; `accepted` where it is not. */
function refusal(eventFormat: JsonObject | null): JsonValue {
  const body = decodeBody(transactionFormat, { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' })
  try {
    checkTransactionFormat(body, new PackageStore(packages), 'format')
    return 'accepted'
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error
    return errorBody(error.details, { traceId: 'ab', submissionId: 's', submission: '' }).body
  }
}

const context = (category: string): JsonObject => ({ participant: 'sandbox', definite_answer: 'false', category })

t.test('a format that names nothing, or what is not there, is refused', async (t) => {
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

t.test('formats that are accepted', async (t) => {
  const found = [template('#conformance-model:Conformance:Note'), interfaceOf('#conformance-model:Conformance:Holding')]
  const any = { filtersForAnyParty: { cumulative: [{ identifierFilter: wildcard }] } }
  for (const format of [only('eve', ...found), only('eve'), any, only('eve', { Empty: {} }), only('zoe', wildcard)]) {
    t.equal(refusal(format), 'accepted')
  }
})
