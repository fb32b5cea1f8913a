/** Participants that do something beside what they answer, or answer something beside what they do. */
import type { OperationName } from '../../interface/operations.js'
import type { InterceptedAnswer } from '../participant/interceptor.js'
import { afterwards, alteringAnswers, answerOf, bodyOf, everywhere, json } from './alterations.js'
import { Load } from './intermittent.js'
import type { Mutant } from './mutant.js'

const saw = 'submit-and-wait'
const ewt = 'execute-and-wait-for-transaction'
const cbi = 'contract-by-id'

/** Carried out, and answered as if it had been refused. */
const committedButRefused = (operation: OperationName, rule: string, status: number): Mutant => ({
  name: `done-but-refused-${operation}-${status}`,
  rule,
  operation,
  sentence: `${operation} executes a request and returns ${status}.`,
  shows: 'refusal',
  interceptor:
    ({ handle }) =>
    async (request) => {
      const told = await handle(request)
      return request.operation === operation && told.status === 200
        ? json(status, { code: status === 409 ? 'SUBMISSION_ALREADY_IN_FLIGHT' : 'INVALID_ARGUMENT', cause: 'no' })
        : told
    },
})

/** Whoever calls while others are answered gets the answer of one of them. */
const anothersAnswer = (operation: OperationName, rule: string): Mutant => ({
  name: `answer-of-another-${operation}`,
  rule,
  operation,
  sentence: `Under load, ${operation} returns the response of another request.`,
  shows: 'race',
  interceptor: ({ handle }) => {
    const load = new Load()
    let last: InterceptedAnswer | undefined
    return async (request) => {
      if (request.operation !== operation) return handle(request)
      const isFelt = load.begins()
      const own = await handle(request)
      load.ends()
      const told = isFelt && own.status === 200 && last ? last : own
      if (own.status === 200) last = own
      return told
    }
  },
})

const offsetsGoBack: Mutant = {
  name: 'offsets-go-back',
  rule: 'SAW-COMPLETION-OFFSET',
  operation: saw,
  sentence: 'Ledger offsets decrease after every fifth submission.',
  shows: 'ledger',
  interceptor: (stage) => {
    let count = 0
    return afterwards([saw], (_request, told, { participant }) => {
      if (told.status !== 200) return
      count += 1
      if (count % 5 === 0) participant.ledger.state.end -= 20
    })(stage)
  },
}

/** A contract is not found until so many milliseconds after it was made. */
const lateIndex = (milliseconds: number): Mutant => ({
  name: `index-lags-${milliseconds}`,
  rule: 'CBI-PURPOSE',
  operation: cbi,
  sentence: `contract-by-id finds a contract only ${milliseconds} milliseconds after its creation.`,
  shows: 'refusal',
  interceptor: (stage) => {
    const known = new Set<string>()
    return async (request) => {
      const id = request.operation === cbi ? bodyOf(request)?.['contractId'] : undefined
      const told = await stage.handle(request)
      if (typeof id !== 'string' || told.status !== 200 || known.has(id)) return told
      stage.later(milliseconds, () => known.add(id))
      return json(404, { code: 'CONTRACT_PAYLOAD_NOT_FOUND', cause: 'Contract payload not found, or not visible.' })
    }
  },
})

const lost: Mutant = {
  name: 'every-second-lost',
  rule: 'SAW-UPDATE-ID',
  operation: saw,
  sentence: 'Every second transaction is reported as successful and then lost, as after a restart.',
  shows: 'ledger',
  interceptor: (stage) => {
    let count = 0
    return afterwards([saw], (_request, told, { participant: { ledger } }) => {
      const updateId = answerOf(told)?.['updateId']
      if (told.status !== 200 || typeof updateId !== 'string') return
      count += 1
      if (count % 2 === 0) ledger.state.transactions.delete(updateId)
    })(stage)
  },
}

const leaked: Mutant = {
  name: 'events-of-others-shown',
  rule: 'EXE-FORMAT-SELECTS',
  operation: ewt,
  sentence: 'A transactionFormat for one party returns the events of all parties.',
  shows: 'answer',
  interceptor:
    ({ handle }) =>
    (request) => {
      const body = request.operation === ewt ? bodyOf(request) : undefined
      const format = body?.['transactionFormat']
      if (!body || format === undefined || format === null) return handle(request)
      const wide = everywhere(format, ['filtersByParty'], (filters) => filters)
      return handle({ ...request, body: Buffer.from(JSON.stringify({ ...body, transactionFormat: forAnybody(wide) })) })
    },
}

/** The same filters for any party. */
function forAnybody(format: unknown): unknown {
  const text = JSON.stringify(format)
  const [, filters] = /"filtersByParty":\{"[^"]*":(\{.*?\]\})/.exec(text) ?? []
  return filters === undefined
    ? format
    : JSON.parse(text.replace('"filtersByParty"', `"filtersForAnyParty":${filters},"filtersByParty"`))
}

const effectiveLater: Mutant = {
  name: 'transactions-of-tomorrow',
  rule: 'TRX-EFFECTIVE-AT',
  operation: ewt,
  sentence: 'effectiveAt of a transaction is one day late.',
  shows: 'answer',
  interceptor: alteringAnswers([ewt], (answer) =>
    everywhere(answer, ['effectiveAt'], (time) =>
      typeof time === 'string' ? new Date(Date.parse(time) + 86_400_000).toISOString() : time,
    ),
  ),
}

export const otherEffects: readonly Mutant[] = [
  committedButRefused(saw, 'SAW-PURPOSE', 400),
  committedButRefused(saw, 'SAW-PURPOSE', 409),
  committedButRefused(ewt, 'EXE-PURPOSE', 400),
  committedButRefused('execute', 'EXE-PURPOSE', 400),
  committedButRefused('update-package-vetting', 'VET-PURPOSE', 400),
  anothersAnswer(saw, 'SAW-PURPOSE'),
  anothersAnswer(cbi, 'CBI-CREATED-EVENT'),
  anothersAnswer(ewt, 'EXE-FORMAT-SELECTS'),
  offsetsGoBack,
  lateIndex(300),
  lost,
  leaked,
  effectiveLater,
]
