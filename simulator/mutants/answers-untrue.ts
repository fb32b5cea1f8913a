/** Participants that answer with something else than what is, or with nothing that was done. */
import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import type { KnownOperation } from '../participant/interceptor.js'
import type { Stage } from '../participant/participant.js'
import { alteringAnswers, answerOf, at, bodyOf, everywhere, json } from './alterations.js'
import type { Mutant } from './mutant.js'

const transactions: readonly KnownOperation[] = [
  'execute-and-wait-for-transaction',
  'updates',
  'update-by-id',
  'update-by-offset',
]

const strangerWitnesses: Mutant = {
  name: 'strangers-as-witnesses',
  sentence: 'Without querying parties, contract-by-id returns a different party in witnessParties.',
  rule: 'CBI-WITNESS-PARTIES',
  operation: 'contract-by-id',
  shows: 'answer',
  interceptor: alteringAnswers(['contract-by-id'], (answer, { queryingParties = [] }) =>
    [queryingParties].flat().length > 0
      ? answer
      : withMember(answer, 'witnessParties', () => [`stranger::1220${'ab'.repeat(32)}`]),
  ),
}

const withMember = (answer: JsonValue, name: string, change: (value: JsonValue) => JsonValue): JsonValue =>
  everywhere(answer, [name], change)

const leak: Mutant = {
  name: 'visible-to-several',
  sentence: 'contract-by-id returns a contract to several querying parties none of which is a stakeholder.',
  rule: 'CBI-STAKEHOLDER-INTERSECTION',
  operation: 'contract-by-id',
  shows: 'acceptance',
  interceptor: (stage) => async (request) => {
    const body = request.operation === 'contract-by-id' ? bodyOf(request) : undefined
    const told = await stage.handle(request)
    const { queryingParties = [], contractId = '' } = body ?? {}
    const several = [queryingParties].flat().length > 1
    if (!several || answerOf(told)?.['code'] !== 'CONTRACT_PAYLOAD_NOT_FOUND') return told
    const signatory = stage.participant.ledger.stored(String(contractId))?.contract.signatories[0]
    if (signatory === undefined) return told
    const everybody = { contractId, queryingParties: [signatory] }
    return stage.handle({ ...request, body: Buffer.from(JSON.stringify(everybody)) })
  },
}

const newestVersion: Mutant = {
  name: 'newest-version-as-representative',
  sentence: 'contract-by-id returns the newest package version as representativePackageId.',
  rule: 'CBI-REPRESENTATIVE-PACKAGE',
  operation: 'contract-by-id',
  shows: 'answer',
  interceptor: alteringAnswers(['contract-by-id'], (answer, _request, { participant: { ledger } }: Stage) => {
    const packageName = at(answer, 'createdEvent', 'packageName') ?? ''
    const [newest] = ledger.packages.versionsOf(String(packageName))
    return newest ? withMember(answer, 'representativePackageId', () => newest.id) : answer
  }),
}

const anyFormatFails: Mutant = {
  name: 'format-answered-with-500',
  sentence: 'An execution with a transactionFormat returns 500, although its transaction is committed.',
  rule: 'EXE-FORMAT-SELECTS',
  operation: 'execute-and-wait-for-transaction',
  shows: 'refusal',
  interceptor: (stage) => async (request) => {
    const told = await stage.handle(request)
    const format = request.operation === 'execute-and-wait-for-transaction' && bodyOf(request)?.['transactionFormat']
    return format && told.status === 200 ? json(500, { code: 'INTERNAL', cause: 'no format' }) : told
  },
}

/** Whether filters name a template. */
const isByTemplate = (format: JsonValue): boolean => JSON.stringify(format).includes('TemplateFilter')

const nothingForTemplates: Mutant = {
  name: 'templates-show-nothing',
  sentence: 'A transactionFormat with a template filter returns no events.',
  rule: 'EXE-FORMAT-SELECTS',
  operation: 'execute-and-wait-for-transaction',
  shows: 'answer',
  interceptor: alteringAnswers(['execute-and-wait-for-transaction'], (answer, { transactionFormat = null }) =>
    isByTemplate(transactionFormat) ? withMember(answer, 'events', () => []) : answer,
  ),
}

const delayed: Mutant = {
  name: 'min-ledger-time-waited-for',
  sentence: 'An execution with a minLedgerTime is delayed until that time.',
  rule: 'EXE-MIN-LEDGER-TIME',
  operation: 'execute',
  shows: 'ledger',
  interceptor: (stage) => async (request) => {
    const bound = /"MinLedgerTimeAbs":\{"value":"(?<time>[^"]+)"/.exec(JSON.stringify(bodyOf(request) ?? ''))?.groups
    const wait = Date.parse(bound?.['time'] ?? '') - Date.now()
    if (request.operation !== 'execute' || !(wait > 0 && wait < 60_000)) return stage.handle(request)
    stage.later(wait, () => stage.handle(request))
    return json(200, {})
  },
}

const toSeconds = (value: JsonValue): JsonValue => (typeof value === 'string' ? value.replace(/\.\d+Z$/, 'Z') : value)

const cutTime = (member: string, rule: string): Mutant => ({
  name: `seconds-in-${member === 'recordTime' ? 'record-time' : 'effective-at'}`,
  sentence: `${member} is truncated to seconds.`,
  rule,
  operation: 'execute-and-wait-for-transaction',
  shows: 'answer',
  interceptor: alteringAnswers(transactions, (answer) => withMember(answer, member, toSeconds)),
})

/** The transaction with one of its times in place of the other. */
const copyTime = (from: string, to: string, rule: string): Mutant => ({
  name: `${from}-as-${to}`.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  sentence: `${to} is a copy of ${from}.`,
  rule,
  operation: 'execute-and-wait-for-transaction',
  shows: 'answer',
  interceptor: alteringAnswers(transactions, (answer) => copied(answer, from, to)),
})

function copied(value: JsonValue, from: string, to: string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => copied(item, from, to))
  if (!isJsonObject(value)) return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copied(item, from, to)]))
  return from in inner && to in inner ? { ...inner, [to]: inner[from] ?? null } : inner
}

const once: Mutant = {
  name: 'token-looked-at-once',
  sentence: 'The token of the first request on a connection authorizes all later requests on it.',
  rule: 'AUTH-HEADER-REQUIRED',
  operation: 'submit-and-wait',
  shows: 'acceptance',
  where: { authorization: true },
  interceptor: ({ handle }) => {
    const tokens = new WeakMap<object, string>()
    return async (request) => {
      const earlier = tokens.get(request.connection)
      const { authorization } = request.headers
      const told = await handle(
        earlier === undefined ? request : { ...request, headers: { ...request.headers, authorization: earlier } },
      )
      if (authorization !== undefined && told.status < 400) tokens.set(request.connection, earlier ?? authorization)
      return told
    }
  },
}

const executesNothing: Mutant = {
  name: 'execute-does-nothing',
  sentence: 'execute accepts each request with 200 and executes nothing.',
  rule: 'EXE-PURPOSE',
  operation: 'execute',
  shows: 'ledger',
  interceptor:
    ({ handle }) =>
    async (request) =>
      request.operation === 'execute' ? json(200, {}) : handle(request),
}

const emptyEvents: Mutant = {
  name: 'not-verbose-shows-nothing',
  sentence: 'A transactionFormat without the verbose flag returns no arguments.',
  rule: 'EXE-FORMAT-SELECTS',
  operation: 'execute-and-wait-for-transaction',
  shows: 'answer',
  interceptor: alteringAnswers(['execute-and-wait-for-transaction'], (answer, { transactionFormat = null }) =>
    JSON.stringify(transactionFormat).includes('"verbose":false')
      ? withMember(answer, 'createArgument', () => ({}))
      : answer,
  ),
}

export const untrueAnswers: readonly Mutant[] = [
  strangerWitnesses,
  leak,
  newestVersion,
  anyFormatFails,
  nothingForTemplates,
  emptyEvents,
  delayed,
  cutTime('recordTime', 'TRX-RECORD-TIME'),
  cutTime('effectiveAt', 'TRX-EFFECTIVE-AT'),
  copyTime('recordTime', 'effectiveAt', 'TRX-EFFECTIVE-AT'),
  copyTime('effectiveAt', 'recordTime', 'TRX-RECORD-TIME'),
  once,
  executesNothing,
]
