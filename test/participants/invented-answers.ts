/** Participants that did the right thing and tell something else of it. One member, one lie. */
import { isJsonObject, type JsonValue } from '../../interface/json.js'
import { alteringAnswers, everywhere } from './alterations.js'
import type { Lie, OperationName } from './stage.js'

type Change = (value: JsonValue) => JsonValue

/** Of each operation, how its lies are called. */
const words = {
  'contract-by-id': 'looked-up',
  'execute-and-wait-for-transaction': 'executed',
  'submit-and-wait': 'submitted',
  'update-package-vetting': 'vetted',
} as const

/** A member of an answer that is something else, wherever it stands in it. */
const altered = (
  operation: keyof typeof words,
  member: string,
  how: string,
  change: Change,
  ...rules: readonly string[]
): Lie => ({
  name: `${words[operation]}-${member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-${how}`,
  sentence: `In the answers of ${operation} ${member} is ${how.replaceAll('-', ' ')}.`,
  rules,
  // What is held against every answer is cited by no row.
  ...(rules.includes('GEN-RESPONSE-SHAPE') && { met: /^(?:EWT-ANSWER|SAW-RESULT)\// }),
  tell: alteringAnswers([operation], (answer) => everywhere(answer, [member], change)),
})

/** The last digit is another one. */
const flipped: Change = (value) =>
  typeof value === 'string' ? value.replace(/.$/, (c) => (c === '0' ? '1' : '0')) : value
const emptied: Change = (value) => (Array.isArray(value) ? [] : typeof value === 'string' ? '' : value)
const onceMore: Change = (value) => (Array.isArray(value) ? [...value, ...value] : value)
const oneMore: Change = (value) => Number(value) + 1
const asText: Change = (value) => (typeof value === 'number' ? String(value) : value)
const withStranger: Change = (value) => (Array.isArray(value) ? [...value, `stranger::1220${'ab'.repeat(32)}`] : value)
const secondLater: Change = (value) =>
  typeof value === 'string' ? new Date(Date.parse(value) + 1000).toISOString() : value
const withoutLastMember: Change = (value) =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).slice(0, -1)) : value
const turned: Change = (value) => {
  if (!isJsonObject(value)) return value
  const values = Object.values(value).toReversed()
  return Object.fromEntries(Object.keys(value).map((name, index) => [name, values[index] ?? null]))
}

const lookUps: readonly Lie[] = [
  altered('contract-by-id', 'contractId', 'of-another', flipped, 'CBI-CREATED-EVENT', 'EVT-CONTRACT-ID'),
  altered('contract-by-id', 'templateId', 'of-another', flipped, 'EVT-TEMPLATE-ID'),
  altered('contract-by-id', 'packageName', 'empty', emptied, 'EVT-PACKAGE-NAME'),
  altered('contract-by-id', 'createArgument', 'cut', withoutLastMember, 'EVT-CREATE-ARGUMENT'),
  altered('contract-by-id', 'createArgument', 'turned', turned, 'EVT-CREATE-ARGUMENT'),
  altered('contract-by-id', 'signatories', 'with-a-stranger', withStranger, 'EVT-SIGNATORIES'),
  altered('contract-by-id', 'observers', 'empty', emptied, 'EVT-OBSERVERS'),
  altered('contract-by-id', 'witnessParties', 'with-a-stranger', withStranger, 'CBI-WITNESS-PARTIES'),
  altered('contract-by-id', 'witnessParties', 'empty', emptied, 'CBI-WITNESS-PARTIES'),
  altered('contract-by-id', 'createdAt', 'a-second-later', secondLater, 'EVT-CREATED-AT'),
]

const executions: readonly Lie[] = [
  altered('execute-and-wait-for-transaction', 'updateId', 'of-another', flipped, 'TRX-UPDATE-ID'),
  altered('execute-and-wait-for-transaction', 'offset', 'of-the-next', oneMore, 'TRX-OFFSET'),
  altered('execute-and-wait-for-transaction', 'offset', 'a-text', asText, 'GEN-RESPONSE-SHAPE'),
  altered('execute-and-wait-for-transaction', 'commandId', 'empty', emptied, 'TRX-COMMAND-ID'),
  altered('execute-and-wait-for-transaction', 'synchronizerId', 'of-another', flipped, 'TRX-SYNCHRONIZER-ID'),
  altered('execute-and-wait-for-transaction', 'events', 'shown-twice', onceMore, 'TRX-EVENTS'),
  altered('execute-and-wait-for-transaction', 'events', 'empty', emptied, 'TRX-EVENTS'),
  altered(
    'execute-and-wait-for-transaction',
    'externalTransactionHash',
    'of-another',
    flipped,
    'TRX-EXTERNAL-TRANSACTION-HASH',
  ),
  altered('execute-and-wait-for-transaction', 'witnessParties', 'with-a-stranger', withStranger, 'EVT-WITNESS-PARTIES'),
  altered('execute-and-wait-for-transaction', 'signatories', 'empty', emptied, 'EVT-SIGNATORIES'),
  altered('execute-and-wait-for-transaction', 'observers', 'with-a-stranger', withStranger, 'EVT-OBSERVERS'),
  altered('execute-and-wait-for-transaction', 'createArgument', 'turned', turned, 'EVT-CREATE-ARGUMENT'),
  altered('execute-and-wait-for-transaction', 'createdAt', 'a-second-later', secondLater, 'EVT-CREATED-AT'),
  altered('execute-and-wait-for-transaction', 'effectiveAt', 'a-second-later', secondLater, 'TRX-EFFECTIVE-AT'),
  altered('execute-and-wait-for-transaction', 'contractId', 'of-another', flipped, 'EXE-TRANSACTION'),
]

const submissions: readonly Lie[] = [
  altered('submit-and-wait', 'updateId', 'of-another', flipped, 'SAW-UPDATE-ID', 'SAW-PURPOSE'),
  altered('submit-and-wait', 'updateId', 'empty', emptied, 'SAW-UPDATE-ID'),
  altered('submit-and-wait', 'completionOffset', 'of-the-next', oneMore, 'SAW-COMPLETION-OFFSET'),
  altered('submit-and-wait', 'completionOffset', 'zero', () => 0, 'SAW-COMPLETION-OFFSET'),
  altered('submit-and-wait', 'completionOffset', 'a-text', asText, 'GEN-RESPONSE-SHAPE', 'SAW-COMPLETION-OFFSET'),
]

const changes: readonly Lie[] = [
  altered('update-package-vetting', 'topologySerial', 'of-the-next', oneMore, 'VET-SERIAL-MATCHES', 'VET-STATE-SERIAL'),
  altered('update-package-vetting', 'packages', 'empty', emptied, 'VET-NEW-STATE', 'VET-STATE-PACKAGES'),
  altered('update-package-vetting', 'participantId', 'of-another', flipped, 'VET-STATE-PARTICIPANT-ID'),
  altered('update-package-vetting', 'synchronizerId', 'of-another', flipped, 'VET-STATE-SYNCHRONIZER-ID'),
  altered('update-package-vetting', 'packageVersion', 'empty', emptied, 'VET-PACKAGE-TYPES', 'VET-STATE-PACKAGES'),
]

/** Two members, each with the value of the other. */
const exchanged = (first: string, second: string, ...rules: readonly string[]): Lie => ({
  name: `${first}-and-${second}-exchanged`.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  sentence: `${first} and ${second} have each other's values in the answers about vetting.`,
  rules,
  tell: alteringAnswers(['update-package-vetting'], (answer) =>
    isJsonObject(answer) ? { ...answer, [first]: answer[second] ?? null, [second]: answer[first] ?? null } : answer,
  ),
})

/** The first answer is given again to everybody. */
const always = (operation: OperationName, member: string, ...rules: readonly string[]): Lie => ({
  name: `always-the-first-${member.toLowerCase()}`,
  sentence: `Every answer of ${operation} has the ${member} of the first one.`,
  rules,
  tell: (stage) => {
    let first: JsonValue | undefined
    return alteringAnswers([operation], (answer) =>
      everywhere(answer, [member], (value) => {
        first ??= value
        return first
      }),
    )(stage)
  },
})

export const inventedAnswers: readonly Lie[] = [
  ...lookUps,
  ...executions,
  ...submissions,
  ...changes,
  exchanged('pastVettedPackages', 'newVettedPackages', 'VET-NEW-STATE', 'VET-PAST-STATE'),
  always('submit-and-wait', 'updateId', 'SAW-UPDATE-ID', 'SAW-PURPOSE'),
  always('contract-by-id', 'createdEvent', 'CBI-PURPOSE', 'EVT-CONTRACT-ID', 'SAW-COMMAND-KINDS'),
]
