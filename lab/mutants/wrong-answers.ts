import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import { valueAt } from '../../lib/json/pointer.js'
import type { KnownOperation, Stage } from '../../simulator/participant/participant.js'
import { bodyOf, changeMembers, codeOf, json, withBody } from '../interceptors/bodies.js'
import { alterAnswers, alterMembers, replaceAnswers, replaceSuccesses } from '../interceptors/interceptors.js'
import { hyphenate, otherParty } from '../interceptors/names.js'
import { fault, type Mutant } from './mutant.js'

const transactions: readonly KnownOperation[] = [
  'execute-and-wait-for-transaction',
  'updates',
  'update-by-id',
  'update-by-offset',
]

const isByTemplate = (format: JsonValue): boolean => JSON.stringify(format).includes('TemplateFilter')

const toSeconds = (value: JsonValue): JsonValue => (typeof value === 'string' ? value.replace(/\.\d+Z$/, 'Z') : value)

const cutTime = (member: string, rule: string): Mutant => ({
  name: `seconds-in-${hyphenate(member)}`,
  sentence: `${member} is truncated to seconds.`,
  ...fault('execute-and-wait-for-transaction', rule, 'answer'),
  interceptor: alterAnswers(transactions, (answer) => changeMembers(answer, [member], toSeconds)),
})

const copyTime = (from: string, to: string, rule: string): Mutant => ({
  name: hyphenate(`${from}-as-${to}`),
  sentence: `${to} is a copy of ${from}.`,
  ...fault('execute-and-wait-for-transaction', rule, 'answer'),
  interceptor: alterAnswers(transactions, (answer) => copied(answer, from, to)),
})

function copied(value: JsonValue, from: string, to: string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => copied(item, from, to))
  if (!isJsonObject(value)) return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copied(item, from, to)]))
  return from in inner && to in inner ? { ...inner, [to]: inner[from] ?? null } : inner
}

export const wrongAnswers: readonly Mutant[] = [
  {
    name: 'strangers-as-witnesses',
    sentence: 'Without querying parties, contract-by-id returns a different party in witnessParties.',
    ...fault('contract-by-id', 'CBI-WITNESS-PARTIES', 'answer'),
    interceptor: alterAnswers(['contract-by-id'], (answer, { queryingParties = [] }) =>
      [queryingParties].flat().length > 0 ? answer : changeMembers(answer, ['witnessParties'], () => [otherParty]),
    ),
  },
  {
    name: 'padding-of-decimals-lost',
    sentence: 'contract-by-id returns decimals without the zeros that fill their scale.',
    ...fault('contract-by-id', 'EVT-CREATE-ARGUMENT', 'answer'),
    interceptor: replaceSuccesses(['contract-by-id'], (answer) => ({
      ...answer,
      text: answer.text.replace(/"(-?\d+\.\d*?[1-9])0+"/g, '"$1"'),
    })),
  },
  {
    name: 'parties-compared-by-name',
    sentence: 'contract-by-id takes a querying party for the known party with the same name.',
    ...fault('contract-by-id', 'CBI-STAKEHOLDER-INTERSECTION', 'acceptance'),
    interceptor: (stage) => (request) => {
      const body = request.operation === 'contract-by-id' ? bodyOf(request) : undefined
      const known = [...stage.participant.ledger.state.parties.keys()]
      const nameOf = (party: JsonValue): string => String(party).replace(/::.*$/, '')
      const byName = (party: JsonValue): JsonValue => known.find((one) => nameOf(one) === nameOf(party)) ?? party
      return stage.handle(
        body
          ? withBody(
              request,
              changeMembers(body, ['queryingParties'], (list) => [list].flat().map(byName)),
            )
          : request,
      )
    },
  },
  {
    name: 'visible-to-several',
    sentence: 'contract-by-id returns a contract to several querying parties none of which is a stakeholder.',
    ...fault('contract-by-id', 'CBI-STAKEHOLDER-INTERSECTION', 'acceptance'),
    interceptor: replaceAnswers(['contract-by-id'], (returned, request, stage) => {
      const { queryingParties = [], contractId = '' } = bodyOf(request) ?? {}
      const several = [queryingParties].flat().length > 1
      if (!several || codeOf(returned) !== 'CONTRACT_PAYLOAD_NOT_FOUND') return returned
      const signatory = stage.participant.ledger.stored(String(contractId))?.contract.signatories[0]
      if (signatory === undefined) return returned
      return stage.handle(withBody(request, { contractId, queryingParties: [signatory] }))
    }),
  },
  {
    name: 'newest-version-as-representative',
    sentence: 'contract-by-id returns the newest package version as representativePackageId.',
    ...fault('contract-by-id', 'CBI-REPRESENTATIVE-PACKAGE', 'answer'),
    interceptor: alterAnswers(['contract-by-id'], (answer, _request, { participant: { ledger } }: Stage) => {
      const packageName = valueAt(answer, '/createdEvent/packageName') ?? ''
      const [newest] = ledger.packages.versionsOf(String(packageName))
      return newest ? changeMembers(answer, ['representativePackageId'], () => newest.id) : answer
    }),
  },
  {
    name: 'format-answered-with-500',
    sentence: 'An execution with a transactionFormat returns 500, although its transaction is committed.',
    ...fault('execute-and-wait-for-transaction', 'EXE-FORMAT-SELECTS', 'refusal'),
    interceptor: replaceSuccesses(['execute-and-wait-for-transaction'], (answer, request) =>
      bodyOf(request)?.['transactionFormat']
        ? json(500, { code: 'INTERNAL', cause: 'the transaction cannot be formatted' })
        : answer,
    ),
  },
  {
    name: 'templates-show-nothing',
    sentence: 'A transactionFormat with a template filter returns no events.',
    ...fault('execute-and-wait-for-transaction', 'EXE-FORMAT-SELECTS', 'answer'),
    interceptor: alterAnswers(['execute-and-wait-for-transaction'], (answer, { transactionFormat = null }) =>
      isByTemplate(transactionFormat) ? changeMembers(answer, ['events'], () => []) : answer,
    ),
  },
  {
    name: 'not-verbose-shows-nothing',
    sentence: 'A transactionFormat without the verbose flag returns no arguments.',
    ...fault('execute-and-wait-for-transaction', 'EXE-FORMAT-SELECTS', 'answer'),
    interceptor: alterAnswers(['execute-and-wait-for-transaction'], (answer, { transactionFormat = null }) =>
      JSON.stringify(transactionFormat).includes('"verbose":false')
        ? changeMembers(answer, ['createArgument'], () => ({}))
        : answer,
    ),
  },
  {
    name: 'min-ledger-time-waited-for',
    sentence: 'An execution with a minLedgerTime is delayed until that time.',
    ...fault('execute', 'EXE-MIN-LEDGER-TIME', 'ledger'),
    interceptor: (stage) => async (request) => {
      const bound = /"MinLedgerTimeAbs":\{"value":"(?<time>[^"]+)"/.exec(JSON.stringify(bodyOf(request) ?? ''))?.groups
      const wait = Date.parse(bound?.['time'] ?? '') - Date.now()
      if (request.operation !== 'execute' || !(wait > 0 && wait < 60_000)) return stage.handle(request)
      stage.later(wait, () => stage.handle(request))
      return json(200, {})
    },
  },
  cutTime('recordTime', 'TRX-RECORD-TIME'),
  cutTime('effectiveAt', 'TRX-EFFECTIVE-AT'),
  copyTime('recordTime', 'effectiveAt', 'TRX-EFFECTIVE-AT'),
  copyTime('effectiveAt', 'recordTime', 'TRX-RECORD-TIME'),
]

export const wrongTransactions: readonly Mutant[] = [
  {
    name: 'events-of-others-shown',
    ...fault('execute-and-wait-for-transaction', 'EXE-FORMAT-SELECTS', 'answer'),
    sentence: 'A transactionFormat for one party returns the events of all parties.',
    interceptor: alterMembers(['execute-and-wait-for-transaction'], ['transactionFormat'], (format) => {
      if (!isJsonObject(format) || !isJsonObject(format['eventFormat'])) return format
      const { eventFormat } = format
      const [filtersForAnyParty] = Object.values(eventFormat['filtersByParty'] ?? {})
      return filtersForAnyParty === undefined
        ? format
        : { ...format, eventFormat: { ...eventFormat, filtersForAnyParty } }
    }),
  },
  {
    name: 'transactions-of-tomorrow',
    ...fault('execute-and-wait-for-transaction', 'TRX-EFFECTIVE-AT', 'answer'),
    sentence: 'effectiveAt of a transaction is one day late.',
    interceptor: alterAnswers(['execute-and-wait-for-transaction'], (answer) =>
      changeMembers(answer, ['effectiveAt'], (time) =>
        typeof time === 'string' ? new Date(Date.parse(time) + 86_400_000).toISOString() : time,
      ),
    ),
  },
]
