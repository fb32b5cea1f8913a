/** Mutants with wrong statuses, body forms, methods and paths. */
import { type OperationName, operations } from '../../interface/operations.js'
import type { InterceptedAnswer, InterceptedRequest, Interceptor } from '../../simulator/participant/participant.js'
import { codeOf, isRejection, json } from '../interceptors/bodies.js'
import { replaceAnswers, replaceSuccesses } from '../interceptors/interceptors.js'
import { cbi, judged } from '../interceptors/names.js'
import { fault, type Mutant, type Showing } from './mutant.js'

const snake = (text: string): string =>
  text.replace(
    /"([a-z]+[A-Z]\w*)":/g,
    (_, name: string) => `"${name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)}":`,
  )

const withMembers = judged.filter((operation) => operation !== 'execute')

/** One mutant for each operation. */
const ofEach = (
  names: readonly OperationName[],
  name: string,
  { rule, sentence, shows }: { rule: string; sentence: string; shows: Showing },
  interceptor: (operation: OperationName) => Interceptor,
): Mutant[] =>
  names.map((operation) => ({
    name: `${name}-${operation}`,
    ...fault(operation, rule, shows),
    sentence: sentence.replace('OPERATION', operation),
    interceptor: interceptor(operation),
  }))

const ofAnswers = (
  name: string,
  rule: string,
  sentence: string,
  change: (answer: InterceptedAnswer) => InterceptedAnswer,
): Mutant[] =>
  ofEach(withMembers, name, { rule, sentence, shows: 'answer' }, (operation) => replaceSuccesses([operation], change))

const shape = 'GEN-RESPONSE-SHAPE'

const answers: readonly Mutant[] = [
  ...ofEach(
    judged,
    'server-errors',
    { rule: 'GEN-NO-SERVER-ERROR', sentence: 'OPERATION rejects requests with 500.', shows: 'refusal' },
    (operation) => replaceAnswers([operation], (answer) => (isRejection(answer) ? { ...answer, status: 500 } : answer)),
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

const refusedAs = (operation: OperationName, code: string, status: number, rule: string): Mutant => ({
  name: `${code.toLowerCase().replaceAll('_', '-')}-as-${status}`,
  ...fault(operation, rule, status === 200 ? 'acceptance' : 'refusal'),
  sentence: `${operation} returns ${status} in place of the error ${code}.`,
  interceptor: replaceAnswers([operation], (answer) => (codeOf(answer) === code ? { ...answer, status } : answer)),
})

const statuses: readonly Mutant[] = [
  refusedAs('contract-by-id', 'CONTRACT_PAYLOAD_NOT_FOUND', 200, 'CBI-STAKEHOLDER-INTERSECTION'),
  refusedAs('contract-by-id', 'CONTRACT_PAYLOAD_NOT_FOUND', 302, 'CBI-STAKEHOLDER-INTERSECTION'),
  refusedAs('submit-and-wait', 'DUPLICATE_COMMAND', 200, 'SAW-DUPLICATE-REJECTED'),
  refusedAs('submit-and-wait', 'SUBMISSION_ALREADY_IN_FLIGHT', 429, 'SAW-DUPLICATE-REJECTED'),
  refusedAs('submit-and-wait', 'MISSING_FIELD', 200, 'SAW-COMMAND-ID-REQUIRED'),
  refusedAs('update-package-vetting', 'TOPOLOGY_SERIAL_MISMATCH', 200, 'VET-SERIAL-GUARD'),
  {
    name: 'nothing-found',
    ...fault('contract-by-id', 'CBI-PURPOSE', 'refusal'),
    sentence: 'contract-by-id finds no contract.',
    interceptor: replaceSuccesses([cbi], () => json(404, { code: 'CONTRACT_PAYLOAD_NOT_FOUND' })),
  },
]

const moved = (request: InterceptedRequest, path: string): InterceptedRequest => ({ ...request, path })

const places: readonly Mutant[] = [
  ...ofEach(
    judged,
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
    judged,
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
    judged,
    'moved-away',
    { rule: 'GEN-PATHS', sentence: 'OPERATION returns 404 for each request.', shows: 'refusal' },
    (operation) =>
      ({ handle }) =>
      async (request) =>
        request.operation === operation ? json(404, { cause: 'the path does not exist' }) : handle(request),
  ),
]

export const protocolMutants: readonly Mutant[] = [...answers, ...statuses, ...places]
