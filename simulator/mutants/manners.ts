/** Participants with bad manners: statuses, forms, methods and paths. */
import { type OperationName, operations } from '../../interface/operations.js'
import type { Asked, Told } from '../participant/door.js'
import type { Doorkeeper } from '../participant/participant.js'
import { answerOf, json } from './alterations.js'
import type { Mutant, Showing } from './mutant.js'

/** What the operation tells, changed. */
const telling =
  (operation: OperationName, change: (told: Told, asked: Asked) => Told): Doorkeeper =>
  ({ ask }) =>
  async (asked) => {
    const told = await ask(asked)
    return asked.operation === operation ? change(told, asked) : told
  }

const isRefusal = ({ status }: Told): boolean => status >= 400 && status < 500

const ifAccepted =
  (change: (told: Told) => Told) =>
  (told: Told): Told =>
    told.status === 200 ? change(told) : told

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
  door: (operation: OperationName) => Doorkeeper,
): Mutant[] =>
  names.map((operation) => ({
    name: `${name}-${operation}`,
    rule,
    operation,
    sentence: sentence.replace('OPERATION', operation),
    shows,
    door: door(operation),
  }))

const ofAnswers = (name: string, rule: string, sentence: string, change: (told: Told) => Told): Mutant[] =>
  ofEach(telltale, name, { rule, sentence, shows: 'answer' }, (operation) => telling(operation, ifAccepted(change)))

const shape = 'GEN-RESPONSE-SHAPE'

const answers: readonly Mutant[] = [
  ...ofEach(
    all,
    'server-errors',
    { rule: 'GEN-NO-SERVER-ERROR', sentence: 'OPERATION rejects requests with 500.', shows: 'refusal' },
    (operation) => telling(operation, (told) => (isRefusal(told) ? { ...told, status: 500 } : told)),
  ),
  ...ofAnswers('snake-case', shape, 'OPERATION returns field names in snake_case.', (told) => ({
    ...told,
    text: snake(told.text),
  })),
  ...ofAnswers('in-a-list', shape, 'OPERATION returns each response inside an array.', (told) => ({
    ...told,
    text: `[${told.text}]`,
  })),
  ...ofAnswers('no-members', shape, 'OPERATION returns an empty object for each accepted request.', () =>
    json(200, {}),
  ),
  ...ofAnswers('cut-short', 'GEN-JSON-BODY', 'The last character of each OPERATION response is missing.', (told) => ({
    ...told,
    text: told.text.slice(0, -1),
  })),
  ...ofAnswers('twice', 'GEN-JSON-BODY', 'OPERATION returns each response body twice in succession.', (told) => ({
    ...told,
    text: told.text + told.text,
  })),
]

/** A refusal by that code has another status. */
const refusedAs = (operation: OperationName, code: string, status: number, rule: string): Mutant => ({
  name: `${code.toLowerCase().replaceAll('_', '-')}-as-${status}`,
  rule,
  operation,
  sentence: `${operation} returns ${status} in place of the error ${code}.`,
  shows: status === 200 ? 'acceptance' : 'refusal',
  door: telling(operation, (told) => (answerOf(told)?.['code'] === code ? { ...told, status } : told)),
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
    door: telling(
      'contract-by-id',
      ifAccepted(() => json(404, { code: 'CONTRACT_PAYLOAD_NOT_FOUND' })),
    ),
  },
]

const moved = (asked: Asked, path: string): Asked => ({ ...asked, path })

const places: readonly Mutant[] = [
  ...ofEach(
    all,
    'other-methods',
    { rule: 'GEN-POST', sentence: 'OPERATION accepts the methods PUT, PATCH and DELETE.', shows: 'acceptance' },
    (operation) =>
      ({ ask }) =>
      (asked) => {
        const isMeant = asked.path === operations[operation].path && /^(?:PUT|PATCH|DELETE)$/.test(asked.method)
        return ask(isMeant ? { ...asked, method: 'POST' } : asked)
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
      ({ ask }) =>
      (asked) => {
        const [, rest] = operations[operation].path.split('/v2')
        return ask(asked.path === rest ? moved(asked, operations[operation].path) : asked)
      },
  ),
  ...ofEach(
    all,
    'moved-away',
    { rule: 'GEN-PATHS', sentence: 'OPERATION returns 404 for each request.', shows: 'refusal' },
    (operation) =>
      ({ ask }) =>
      async (asked) =>
        asked.operation === operation ? json(404, { cause: 'there is nothing here' }) : ask(asked),
  ),
]

export const badManners: readonly Mutant[] = [...answers, ...statuses, ...places]
