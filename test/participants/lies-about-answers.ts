/** Participants that answer with something else than what is, or with nothing that was done. */
import { isJsonObject, type JsonValue } from '../../interface/json.js'
import { at } from '../replay-variables.js'
import { alteringAnswers, answerOf, bodyOf, everywhere, json } from './alterations.js'
import type { Lie, OperationName, Stage } from './stage.js'

const transactions: readonly OperationName[] = [
  'execute-and-wait-for-transaction',
  'updates',
  'update-by-id',
  'update-by-offset',
]

const strangerWitnesses: Lie = {
  name: 'strangers-as-witnesses',
  sentence: 'Without querying parties contract-by-id names witnesses that nobody asked for.',
  rules: ['CBI-WITNESS-PARTIES'],
  tell: alteringAnswers(['contract-by-id'], (answer, { queryingParties = [] }) =>
    [queryingParties].flat().length > 0
      ? answer
      : withMember(answer, 'witnessParties', () => [`stranger::1220${'ab'.repeat(32)}`]),
  ),
}

const withMember = (answer: JsonValue, name: string, change: (value: JsonValue) => JsonValue): JsonValue =>
  everywhere(answer, [name], change)

const leak: Lie = {
  name: 'visible-to-several',
  sentence: 'A contract is shown to several querying parties of which none is a stakeholder.',
  rules: ['CBI-STAKEHOLDER-INTERSECTION'],
  tell: (stage) => async (asked) => {
    const body = asked.operation === 'contract-by-id' ? bodyOf(asked) : undefined
    const told = await stage.ask(asked)
    const { queryingParties = [], contractId = '' } = body ?? {}
    const several = [queryingParties].flat().length > 1
    if (!several || answerOf(told)?.['code'] !== 'CONTRACT_PAYLOAD_NOT_FOUND') return told
    const signatory = stage.participant.ledger.stored(String(contractId))?.contract.signatories[0]
    if (signatory === undefined) return told
    const everybody = { contractId, queryingParties: [signatory] }
    return stage.ask({ ...asked, body: Buffer.from(JSON.stringify(everybody)) })
  },
}

const newestVersion: Lie = {
  name: 'newest-version-as-representative',
  sentence: 'contract-by-id names the newest version of the package in place of the one of the contract.',
  rules: ['CBI-REPRESENTATIVE-PACKAGE'],
  tell: alteringAnswers(['contract-by-id'], (answer, _asked, { participant: { ledger } }: Stage) => {
    const packageName = at(answer, '/createdEvent/packageName') ?? ''
    const [newest] = ledger.packages.versionsOf(String(packageName))
    return newest ? withMember(answer, 'representativePackageId', () => newest.id) : answer
  }),
}

const anyFormatFails: Lie = {
  name: 'format-answered-with-500',
  sentence: 'Every transactionFormat is answered with 500, though the transaction is committed.',
  rules: ['EXE-FORMAT-SELECTS', 'GEN-NO-SERVER-ERROR'],
  tell: (stage) => async (asked) => {
    const told = await stage.ask(asked)
    const format = asked.operation === 'execute-and-wait-for-transaction' && bodyOf(asked)?.['transactionFormat']
    return format && told.status === 200 ? json(500, { code: 'INTERNAL', cause: 'no format' }) : told
  },
}

/** Whether filters name a template. */
const isByTemplate = (format: JsonValue): boolean => JSON.stringify(format).includes('TemplateFilter')

const nothingForTemplates: Lie = {
  name: 'templates-show-nothing',
  sentence: 'A transactionFormat with a filter by template shows no events.',
  rules: ['EXE-FORMAT-SELECTS'],
  tell: alteringAnswers(['execute-and-wait-for-transaction'], (answer, { transactionFormat = null }) =>
    isByTemplate(transactionFormat) ? withMember(answer, 'events', () => []) : answer,
  ),
}

const delayed: Lie = {
  name: 'min-ledger-time-waited-for',
  sentence: 'What is handed in with a minLedgerTime is executed once that time has come.',
  rules: ['EXE-MIN-LEDGER-TIME'],
  tell: (stage) => async (asked) => {
    const bound = /"MinLedgerTimeAbs":\{"value":"(?<time>[^"]+)"/.exec(JSON.stringify(bodyOf(asked) ?? ''))?.groups
    const wait = Date.parse(bound?.['time'] ?? '') - Date.now()
    if (asked.operation !== 'execute' || !(wait > 0 && wait < 60_000)) return stage.ask(asked)
    stage.later(wait, () => stage.ask(asked))
    return json(200, {})
  },
}

const toSeconds = (value: JsonValue): JsonValue => (typeof value === 'string' ? value.replace(/\.\d+Z$/, 'Z') : value)

const cutTime = (member: string, rule: string): Lie => ({
  name: `seconds-in-${member === 'recordTime' ? 'record-time' : 'effective-at'}`,
  sentence: `${member} is cut to seconds.`,
  rules: [rule],
  tell: alteringAnswers(transactions, (answer) => withMember(answer, member, toSeconds)),
})

/** The transaction with one of its times in place of the other. */
const copyTime = (from: string, to: string, rule: string): Lie => ({
  name: `${from}-as-${to}`.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  sentence: `${to} is a copy of ${from}.`,
  rules: [rule],
  tell: alteringAnswers(transactions, (answer) => copied(answer, from, to)),
})

function copied(value: JsonValue, from: string, to: string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => copied(item, from, to))
  if (!isJsonObject(value)) return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copied(item, from, to)]))
  return from in inner && to in inner ? { ...inner, [to]: inner[from] ?? null } : inner
}

const once: Lie = {
  name: 'token-looked-at-once',
  sentence: 'The token of the first request of a connection counts for all of its requests.',
  rules: ['AUTH-HEADER-REQUIRED', 'AUTH-ACT-AS'],
  authorization: true,
  tell: ({ ask }) => {
    const tokens = new WeakMap<object, string>()
    return async (asked) => {
      const earlier = tokens.get(asked.connection)
      const { authorization } = asked.headers
      const told = await ask(
        earlier === undefined ? asked : { ...asked, headers: { ...asked.headers, authorization: earlier } },
      )
      if (authorization !== undefined && told.status < 400) tokens.set(asked.connection, earlier ?? authorization)
      return told
    }
  },
}

const executesNothing: Lie = {
  name: 'execute-does-nothing',
  sentence: 'execute takes everything, answers 200 and executes nothing.',
  rules: ['EXE-PURPOSE'],
  met: /^EXE-(?:PURPOSE|SUBMITTED|ACCEPTED|RESPONSE|UNTRUE|REPLAY|OUT-OF-TIME)/,
  tell:
    ({ ask }) =>
    async (asked) =>
      asked.operation === 'execute' ? json(200, {}) : ask(asked),
}

const slow: Lie = {
  name: 'slow',
  sentence: 'Every answer takes 300 milliseconds longer; that breaks no rule, but a run has to come to its end.',
  rules: [],
  met: /^E(?:XE|WT)-/,
  tell: (stage) => async (asked) => {
    await new Promise<void>((resolve) => stage.later(300, resolve))
    return stage.ask(asked)
  },
}

const emptyEvents: Lie = {
  name: 'not-verbose-shows-nothing',
  sentence: 'A transactionFormat that is not verbose shows no arguments.',
  rules: ['EXE-FORMAT-SELECTS', 'EVT-CREATE-ARGUMENT'],
  tell: alteringAnswers(['execute-and-wait-for-transaction'], (answer, { transactionFormat = null }) =>
    JSON.stringify(transactionFormat).includes('"verbose":false')
      ? withMember(answer, 'createArgument', () => ({}))
      : answer,
  ),
}

export const liesAboutAnswers: readonly Lie[] = [
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
  slow,
]
