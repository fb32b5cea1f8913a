/** Mutants whose effects and answers disagree. */
import type { OperationName } from '../../interface/operations.js'
import type { InterceptedAnswer } from '../../simulator/participant/participant.js'
import { answerOf, bodyOf, json } from '../interceptors/bodies.js'
import { replaceSuccesses, runAfter } from '../interceptors/interceptors.js'
import { cbi, ewt, saw } from '../interceptors/names.js'
import { Load } from './intermittent.js'
import { fault, type Mutant } from './mutant.js'

const committedButRefused = (operation: OperationName, rule: string, status: number): Mutant => ({
  name: `done-but-refused-${operation}-${status}`,
  ...fault(operation, rule, 'refusal'),
  sentence: `${operation} executes a request and returns ${status}.`,
  interceptor: replaceSuccesses([operation], () =>
    json(status, {
      code: status === 409 ? 'SUBMISSION_ALREADY_IN_FLIGHT' : 'INVALID_ARGUMENT',
      cause: 'the request is rejected',
    }),
  ),
})

const anothersAnswer = (operation: OperationName, rule: string): Mutant => ({
  name: `answer-of-another-${operation}`,
  ...fault(operation, rule, 'race'),
  sentence: `Under load, ${operation} returns the response of another request.`,
  interceptor: ({ handle }) => {
    const load = new Load()
    let last: InterceptedAnswer | undefined
    return async (request) => {
      if (request.operation !== operation) return handle(request)
      const isConcurrent = load.begin()
      const own = await handle(request)
      load.end()
      const returned = isConcurrent && own.status === 200 && last ? last : own
      if (own.status === 200) last = own
      return returned
    }
  },
})

const lateIndex = (milliseconds: number): Mutant => ({
  name: `index-lags-${milliseconds}`,
  ...fault(cbi, 'CBI-PURPOSE', 'refusal'),
  sentence: `contract-by-id finds a contract only ${milliseconds} milliseconds after its creation.`,
  interceptor: (stage) => {
    const known = new Set<string>()
    return async (request) => {
      const id = request.operation === cbi ? bodyOf(request)?.['contractId'] : undefined
      const returned = await stage.handle(request)
      if (typeof id !== 'string' || returned.status !== 200 || known.has(id)) return returned
      stage.later(milliseconds, () => known.add(id))
      return json(404, { code: 'CONTRACT_PAYLOAD_NOT_FOUND', cause: 'Contract payload not found, or not visible.' })
    }
  },
})

export const executesNothing: Mutant = {
  name: 'execute-does-nothing',
  sentence: 'execute accepts each request with 200 and executes nothing.',
  ...fault('execute', 'EXE-PURPOSE', 'ledger'),
  interceptor:
    ({ handle }) =>
    async (request) =>
      request.operation === 'execute' ? json(200, {}) : handle(request),
}

let counted = 0
export const submitsNothing: Mutant = {
  name: 'submit-and-wait-does-nothing',
  sentence: 'submit-and-wait returns the updateId of a transaction that does not exist.',
  ...fault(saw, 'SAW-PURPOSE', 'ledger'),
  interceptor:
    ({ handle }) =>
    async (request) => {
      if (request.operation !== saw) return handle(request)
      counted += 1
      const updateId = `1220${counted.toString(16).padStart(64, '0')}`
      return json(200, { updateId, completionOffset: 1_000_000 + counted })
    },
}

export const wrongEffects: readonly Mutant[] = [
  committedButRefused(saw, 'SAW-PURPOSE', 400),
  committedButRefused(saw, 'SAW-PURPOSE', 409),
  committedButRefused(ewt, 'EXE-PURPOSE', 400),
  committedButRefused('execute', 'EXE-PURPOSE', 400),
  committedButRefused('update-package-vetting', 'VET-PURPOSE', 400),
  anothersAnswer(saw, 'SAW-PURPOSE'),
  anothersAnswer(cbi, 'CBI-CREATED-EVENT'),
  anothersAnswer(ewt, 'EXE-FORMAT-SELECTS'),
  {
    name: 'offsets-go-back',
    ...fault(saw, 'SAW-COMPLETION-OFFSET', 'ledger'),
    sentence: 'Ledger offsets decrease after every fifth submission.',
    interceptor: (stage) => {
      let count = 0
      return runAfter([saw], (_request, returned, { participant }) => {
        if (returned.status !== 200) return
        count += 1
        if (count % 5 === 0) participant.ledger.state.end -= 20
      })(stage)
    },
  },
  lateIndex(300),
  {
    name: 'every-second-lost',
    ...fault(saw, 'SAW-UPDATE-ID', 'ledger'),
    sentence: 'Every second transaction is reported as successful and then lost, as after a restart.',
    interceptor: (stage) => {
      let count = 0
      return runAfter([saw], (_request, returned, { participant: { ledger } }) => {
        const updateId = answerOf(returned)?.['updateId']
        if (returned.status !== 200 || typeof updateId !== 'string') return
        count += 1
        if (count % 2 === 0) ledger.state.transactions.delete(updateId)
      })(stage)
    },
  },
]
