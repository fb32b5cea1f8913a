/** Participants with bad manners: statuses, forms, methods and paths. */
import { type OperationName, operations } from '../../interface/operations.js'
import type { InterceptedAnswer, InterceptedRequest } from '../participant/interceptor.js'
import type { Interceptor } from '../participant/participant.js'
import { answerOf, json } from './alterations.js'
import type { Mutant, Showing } from './mutant.js'

/** What the operation tells, changed. */
const telling =
  (
    operation: OperationName,
    change: (answer: InterceptedAnswer, request: InterceptedRequest) => InterceptedAnswer,
  ): Interceptor =>
  ({ handle }) =>
  async (request) => {
    const answer = await handle(request)
    return request.operation === operation ? change(answer, request) : answer
  }

const isRefusal = ({ status }: InterceptedAnswer): boolean => status >= 400 && status < 500

const ifAccepted =
  (change: (answer: InterceptedAnswer) => InterceptedAnswer) =>
  (answer: InterceptedAnswer): InterceptedAnswer =>
    answer.status === 200 ? change(answer) : answer

const snake = (text: string): string =>
  text.replace(
    /"([a-z]+[A-Z]\w*)":/g,
    (_, name: string) => `"${name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)}":`,
  )

const all = Object.keys(operations) as OperationName[] // the keys of the table
/** Those whose answers have members. */
const telltale = all.filter((operation) => operation !== 'execute')

/** The same bad manner of several operations: one mutant for each. */
const ofEach = (
  names: readonly OperationName[],
  name: string,
  { rule, sentence, shows }: { rule: string; sentence: string; shows: Showing },
  interceptor: (operation: OperationName) => Interceptor,
): Mutant[] =>
  names.map((operation) => ({
    name: `${name}-${operation}`,
    rule,
    operation,
    sentence: sentence.replace('OPERATION', operation),
    shows,
    interceptor: interceptor(operation),
  }))

const ofAnswers = (
  name: string,
  rule: string,
  sentence: string,
  change: (answer: InterceptedAnswer) => InterceptedAnswer,
): Mutant[] =>
  ofEach(telltale, name, { rule, sentence, shows: 'answer' }, (operation) => telling(operation, ifAccepted(change)))

const shape = 'GEN-RESPONSE-SHAPE'

const answers: readonly Mutant[] = [
  ...ofEach(
    all,
    'server-errors',
    { rule: 'GEN-NO-SERVER-ERROR', sentence: 'OPERATION rejects requests with 500.', shows: 'refusal' },
    (operation) => telling(operation, (answer) => (isRefusal(answer) ? { ...answer, status: 500 } : answer)),
  ),
  ...ofAnswers('snake-case', shape, 'OPERATION returns field names in snake_case.', (answer) => ({
    ...answer,
    text: snake(answer.text),
  })),
  ...ofAnswers('in-a-list', shape, 'OPERATION returns each response inside an array.', (answer) => ({
    ...answer,
    text: `[${answer.text}]`,
  })),
  ...ofAnswers('no-members', shape, 'OPERATION returns an empty object for each accepted request.', () =>
    json(200, {}),
  ),
  ...ofAnswers('cut-short', 'GEN-JSON-BODY', 'The last character of each OPERATION response is missing.', (answer) => ({
    ...answer,
    text: answer.text.slice(0, -1),
  })),
  ...ofAnswers('twice', 'GEN-JSON-BODY', 'OPERATION returns each response body twice in succession.', (answer) => ({
    ...answer,
    text: answer.text + answer.text,
  })),
]

/** A refusal by that code has another status. */
const refusedAs = (operation: OperationName, code: string, status: number, rule: string): Mutant => ({
  name: `${code.toLowerCase().replaceAll('_', '-')}-as-${status}`,
  rule,
  operation,
  sentence: `${operation} returns ${status} in place of the error ${code}.`,
  shows: status === 200 ? 'acceptance' : 'refusal',
  interceptor: telling(operation, (answer) => (answerOf(answer)?.['code'] === code ? { ...answer, status } : answer)),
})

const statuses: readonly Mutant[] = [
  refusedAs('contract-by-id', 'CONTRACT_PAYLOAD_NOT_FOUND', 200, 'CBI-STAKEHOLDER-INTERSECTION'),
  refusedAs('contract-by-id', 'CONTRACT_PAYLOAD_NOT_FOUND', 302, 'CBI-STAKEHOLDER-INTERSECTION'),
  refusedAs('submit-and-wait', 'DUPLICATE_COMMAND', 200, 'SAW-DUPLICATE-REJECTED'),
  refusedAs('submit-and-wait', 'MISSING_FIELD', 200, 'SAW-COMMAND-ID-REQUIRED'),
  refusedAs('update-package-vetting', 'TOPOLOGY_SERIAL_MISMATCH', 200, 'VET-SERIAL-GUARD'),
  {
    name: 'nothing-found',
    rule: 'CBI-PURPOSE',
    operation: 'contract-by-id',
    sentence: 'contract-by-id finds no contract.',
    shows: 'refusal',
    interceptor: telling(
      'contract-by-id',
      ifAccepted(() => json(404, { code: 'CONTRACT_PAYLOAD_NOT_FOUND' })),
    ),
  },
]

const moved = (request: InterceptedRequest, path: string): InterceptedRequest => ({ ...request, path })

const places: readonly Mutant[] = [
  ...ofEach(
    all,
    'other-methods',
    { rule: 'GEN-POST', sentence: 'OPERATION accepts the methods PUT, PATCH and DELETE.', shows: 'acceptance' },
    (operation) =>
      ({ handle }) =>
      (request) => {
        const isMeant = request.path === operations[operation].path && /^(?:PUT|PATCH|DELETE)$/.test(request.method)
        return handle(isMeant ? { ...request, method: 'POST' } : request)
      },
  ),
  ...ofEach(
    all,
    'without-version',
    {
      rule: 'GEN-VERSION-IN-PATH',
      sentence: 'OPERATION also accepts its path without the version prefix.',
      shows: 'acceptance',
    },
    (operation) =>
      ({ handle }) =>
      (request) => {
        const [, rest] = operations[operation].path.split('/v2')
        return handle(request.path === rest ? moved(request, operations[operation].path) : request)
      },
  ),
  ...ofEach(
    all,
    'moved-away',
    { rule: 'GEN-PATHS', sentence: 'OPERATION returns 404 for each request.', shows: 'refusal' },
    (operation) =>
      ({ handle }) =>
      async (request) =>
        request.operation === operation ? json(404, { cause: 'there is nothing here' }) : handle(request),
  ),
]

export const badManners: readonly Mutant[] = [...answers, ...statuses, ...places]
