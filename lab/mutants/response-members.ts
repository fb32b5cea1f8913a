/** Mutants that return one wrong member. */
import type { OperationName } from '../../interface/operations.js'
import { isJsonObject, type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import { changeMembers } from '../interceptors/bodies.js'
import { alterAnswers } from '../interceptors/interceptors.js'
import { cbi, ewt, hyphenate, otherParty, saw, vet } from '../interceptors/names.js'
import { fault, type Mutant } from './mutant.js'

/** Undefined removes the member. */
type Change = (value: JsonValue) => JsonValue | undefined

const words = {
  'contract-by-id': 'looked-up',
  'execute-and-wait-for-transaction': 'executed',
  'submit-and-wait': 'submitted',
  'update-package-vetting': 'vetted',
} as const

type NamedOperation = keyof typeof words

/** Changes, and their predicates in sentences. */
const phrases = {
  'a-second-later': 'is one second later',
  'a-text': 'is a string',
  cut: 'lacks its last member',
  empty: 'is empty',
  'in-capitals': 'is in upper case',
  'in-hex': 'is hexadecimal',
  'left-out': 'is missing',
  null: 'is null',
  'of-another': 'differs in its last character',
  'of-another-type': 'has a different JSON type',
  'of-the-next': 'is one higher',
  'shown-twice': 'contains each element twice',
  turned: 'has its values in reverse order',
  'with-a-stranger': 'includes a different party',
  zero: 'is zero',
} as const

type Alteration = keyof typeof phrases

/** Changes a member at any depth. */
const altered = (operation: NamedOperation, member: string, how: Alteration, rule: string, change: Change): Mutant => ({
  name: `${words[operation]}-${hyphenate(member)}-${how}`,
  ...fault(operation, rule, 'answer'),
  sentence: `In ${operation} responses, ${member} ${phrases[how]}.`,
  interceptor: alterAnswers([operation], (answer) => changeMembers(answer, [member], change)),
})

const ofEvents: Readonly<Record<string, string>> = {
  contractId: 'EVT-CONTRACT-ID',
  templateId: 'EVT-TEMPLATE-ID',
  createArgument: 'EVT-CREATE-ARGUMENT',
  signatories: 'EVT-SIGNATORIES',
  observers: 'EVT-OBSERVERS',
  createdAt: 'EVT-CREATED-AT',
  packageName: 'EVT-PACKAGE-NAME',
  contractKey: 'EVT-CONTRACT-KEY',
}

const rulesOfMembers: Readonly<Record<NamedOperation, Readonly<Record<string, string>>>> = {
  'contract-by-id': {
    ...ofEvents,
    createdEvent: 'CBI-CREATED-EVENT',
    witnessParties: 'CBI-WITNESS-PARTIES',
    representativePackageId: 'CBI-REPRESENTATIVE-PACKAGE',
  },
  'submit-and-wait': { updateId: 'SAW-UPDATE-ID', completionOffset: 'SAW-COMPLETION-OFFSET' },
  'execute-and-wait-for-transaction': {
    ...ofEvents,
    witnessParties: 'EVT-WITNESS-PARTIES',
    representativePackageId: 'EVT-REPRESENTATIVE-PACKAGE-ID',
    nodeId: 'EVT-NODE-ID',
    acsDelta: 'EVT-ACS-DELTA',
    createdEventBlob: 'EVT-CREATED-EVENT-BLOB',
    interfaceViews: 'EVT-INTERFACE-VIEWS',
    interfaceId: 'VIEW-INTERFACE-ID',
    viewStatus: 'VIEW-STATUS',
    viewValue: 'VIEW-VALUE',
    transaction: 'EXE-TRANSACTION',
    updateId: 'TRX-UPDATE-ID',
    commandId: 'TRX-COMMAND-ID',
    effectiveAt: 'TRX-EFFECTIVE-AT',
    recordTime: 'TRX-RECORD-TIME',
    events: 'TRX-EVENTS',
    synchronizerId: 'TRX-SYNCHRONIZER-ID',
    externalTransactionHash: 'TRX-EXTERNAL-TRANSACTION-HASH',
  },
  'update-package-vetting': {
    newVettedPackages: 'VET-NEW-STATE',
    pastVettedPackages: 'VET-PAST-STATE',
    packages: 'VET-STATE-PACKAGES',
    participantId: 'VET-STATE-PARTICIPANT-ID',
    synchronizerId: 'VET-STATE-SYNCHRONIZER-ID',
    topologySerial: 'VET-STATE-SERIAL',
    packageId: 'VET-PACKAGE-TYPES',
    packageName: 'VET-PACKAGE-TYPES',
    packageVersion: 'VET-PACKAGE-TYPES',
  },
}

function ofAnotherType(value: JsonValue): JsonValue {
  if (typeof value === 'string') return 4711
  if (Array.isArray(value)) return 'several'
  return String(typeof value === 'object' ? 'an object' : value)
}

const everyMember: readonly Mutant[] = Object.entries(rulesOfMembers).flatMap(([operation, members]) =>
  Object.entries(members).flatMap(([member, rule]) => {
    const of = operation as NamedOperation // a key of the table
    return [
      altered(of, member, 'left-out', rule, () => undefined),
      altered(of, member, 'of-another-type', rule, ofAnotherType),
    ]
  }),
)

const flipped: Change = (value) =>
  typeof value === 'string' ? value.replace(/.$/, (c) => (c === '0' ? '1' : '0')) : value
const emptied: Change = (value) => (Array.isArray(value) ? [] : typeof value === 'string' ? '' : value)
const onceMore: Change = (value) => (Array.isArray(value) ? [...value, ...value] : value)
const oneMore: Change = (value) => Number(value) + 1
const withOtherParty: Change = (value) => (Array.isArray(value) ? [...value, otherParty] : value)
const secondLater: Change = (value) =>
  typeof value === 'string' ? new Date(Date.parse(value) + 1000).toISOString() : value
const withoutLastMember: Change = (value) =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).slice(0, -1)) : value
const turned: Change = (value) => {
  if (!isJsonObject(value)) return value
  const values = Object.values(value).toReversed()
  return Object.fromEntries(Object.keys(value).map((name, index) => [name, values[index] ?? null]))
}
const inCapitals: Change = (value) => (typeof value === 'string' ? value.toUpperCase() : value)
const inHex: Change = (value) => (typeof value === 'string' ? Buffer.from(value, 'base64').toString('hex') : value)

const lookUps: readonly Mutant[] = [
  altered(cbi, 'contractId', 'of-another', 'CBI-CREATED-EVENT', flipped),
  altered(cbi, 'contractId', 'in-capitals', 'CBI-CREATED-EVENT', inCapitals),
  altered(cbi, 'templateId', 'of-another', 'EVT-TEMPLATE-ID', flipped),
  altered(cbi, 'packageName', 'empty', 'EVT-PACKAGE-NAME', emptied),
  altered(cbi, 'createArgument', 'cut', 'EVT-CREATE-ARGUMENT', withoutLastMember),
  altered(cbi, 'createArgument', 'turned', 'EVT-CREATE-ARGUMENT', turned),
  altered(cbi, 'signatories', 'with-a-stranger', 'EVT-SIGNATORIES', withOtherParty),
  altered(cbi, 'observers', 'empty', 'EVT-OBSERVERS', emptied),
  altered(cbi, 'witnessParties', 'with-a-stranger', 'CBI-WITNESS-PARTIES', withOtherParty),
  altered(cbi, 'witnessParties', 'empty', 'CBI-WITNESS-PARTIES', emptied),
  altered(cbi, 'signatories', 'null', 'EVT-SIGNATORIES', () => null),
  altered(cbi, 'observers', 'null', 'EVT-OBSERVERS', () => null),
  altered(cbi, 'createdAt', 'a-second-later', 'EVT-CREATED-AT', secondLater),
]

const executions: readonly Mutant[] = [
  altered(ewt, 'updateId', 'of-another', 'TRX-UPDATE-ID', flipped),
  altered(ewt, 'offset', 'of-the-next', 'TRX-OFFSET', oneMore),
  altered(ewt, 'offset', 'a-text', 'TRX-OFFSET', String),
  altered(ewt, 'commandId', 'empty', 'TRX-COMMAND-ID', emptied),
  altered(ewt, 'synchronizerId', 'of-another', 'TRX-SYNCHRONIZER-ID', flipped),
  altered(ewt, 'events', 'shown-twice', 'EXE-FORMAT-DEFAULT', onceMore),
  altered(ewt, 'events', 'empty', 'EXE-FORMAT-DEFAULT', emptied),
  altered(ewt, 'externalTransactionHash', 'of-another', 'TRX-EXTERNAL-TRANSACTION-HASH', flipped),
  altered(ewt, 'witnessParties', 'with-a-stranger', 'EVT-WITNESS-PARTIES', withOtherParty),
  altered(ewt, 'signatories', 'empty', 'EVT-SIGNATORIES', emptied),
  altered(ewt, 'observers', 'with-a-stranger', 'EVT-OBSERVERS', withOtherParty),
  altered(ewt, 'createArgument', 'turned', 'EVT-CREATE-ARGUMENT', turned),
  altered(ewt, 'createdAt', 'a-second-later', 'EVT-CREATED-AT', secondLater),
  altered(ewt, 'effectiveAt', 'a-second-later', 'TRX-EFFECTIVE-AT', secondLater),
  altered(ewt, 'contractId', 'of-another', 'EXE-TRANSACTION', flipped),
  altered(ewt, 'createdEventBlob', 'in-hex', 'EVT-CREATED-EVENT-BLOB', inHex),
]

const submissions: readonly Mutant[] = [
  altered(saw, 'updateId', 'of-another', 'SAW-UPDATE-ID', flipped),
  altered(saw, 'updateId', 'empty', 'SAW-UPDATE-ID', emptied),
  altered(saw, 'completionOffset', 'of-the-next', 'SAW-COMPLETION-OFFSET', oneMore),
  altered(saw, 'completionOffset', 'zero', 'SAW-COMPLETION-OFFSET', () => 0),
]

const changes: readonly Mutant[] = [
  altered(vet, 'topologySerial', 'of-the-next', 'VET-SERIAL-MATCHES', oneMore),
  altered(vet, 'packages', 'empty', 'VET-NEW-STATE', emptied),
  altered(vet, 'participantId', 'of-another', 'VET-STATE-PARTICIPANT-ID', flipped),
  altered(vet, 'synchronizerId', 'of-another', 'VET-STATE-SYNCHRONIZER-ID', flipped),
  altered(vet, 'packageVersion', 'empty', 'VET-PACKAGE-TYPES', emptied),
]

const exchanged = (first: string, second: string, rule: string): Mutant => ({
  name: `${hyphenate(first)}-and-${hyphenate(second)}-exchanged`,
  ...fault(vet, rule, 'answer'),
  sentence: `The values of ${first} and ${second} are swapped.`,
  interceptor: alterAnswers([vet], (answer) =>
    isJsonObject(answer) ? { ...answer, [first]: answer[second] ?? null, [second]: answer[first] ?? null } : answer,
  ),
})

const renamed = (operation: NamedOperation, member: string, name: string, rule: string): Mutant => ({
  name: `${words[operation]}-${hyphenate(member)}-renamed`,
  ...fault(operation, rule, 'answer'),
  sentence: `${operation} returns ${member} under the name ${name}.`,
  interceptor: alterAnswers([operation], (answer) => {
    const { [member]: value = null, ...rest }: JsonObject = isJsonObject(answer) ? answer : {}
    return { ...rest, [name]: value }
  }),
})

const always = (operation: OperationName, member: string, rule: string): Mutant => ({
  name: `always-the-first-${hyphenate(member)}`,
  ...fault(operation, rule, 'answer'),
  sentence: `${operation} returns the ${member} of its first response in each response.`,
  interceptor: (stage) => {
    let first: JsonValue | undefined
    return alterAnswers([operation], (answer) =>
      changeMembers(answer, [member], (value) => {
        first ??= value
        return first
      }),
    )(stage)
  },
})

const populated = (member: string, value: JsonValue): Mutant => ({
  name: `looked-up-${hyphenate(member)}-populated`,
  ...fault(cbi, 'CBI-UNPOPULATED', 'answer'),
  sentence: `contract-by-id populates ${member}.`,
  where: { behaviour: 'interface' },
  interceptor: alterAnswers([cbi], (answer) => {
    const { createdEvent = null, ...rest }: JsonObject = isJsonObject(answer) ? answer : {}
    return { ...rest, createdEvent: isJsonObject(createdEvent) ? { ...createdEvent, [member]: value } : createdEvent }
  }),
})

const mistypedDetail = (member: string, change: Change): Mutant => ({
  name: `view-status-details-${hyphenate(member)}-of-another-type`,
  ...fault(ewt, 'VIEW-STATUS-DETAILS', 'answer'),
  sentence: `In the details of a ViewStatus, ${member} has a different JSON type.`,
  interceptor: alterAnswers([ewt], (answer) =>
    changeMembers(answer, ['details'], (details) => changeMembers(details, [member], change)),
  ),
})

const asText = (value: JsonValue): string => (isJsonObject(value) ? printJson(value) : String(value))

export const wrongMembers: readonly Mutant[] = [
  mistypedDetail('typeUrl', () => 7),
  mistypedDetail('value', () => 7),
  mistypedDetail('unknownFields', () => 'none'),
  mistypedDetail('fields', () => []),
  mistypedDetail('valueDecoded', () => 7),
  {
    name: 'executed-created-events-of-strings-alone',
    ...fault(ewt, 'TRX-CREATED-EVENT', 'answer'),
    sentence: 'In created events of transactions, offset, nodeId and acsDelta are strings.',
    interceptor: alterAnswers([ewt], (answer) =>
      changeMembers(answer, ['CreatedEvent'], (event) =>
        ['offset', 'nodeId', 'acsDelta'].reduce((all, member) => changeMembers(all, [member], asText), event),
      ),
    ),
  },
  {
    name: 'executed-created-events-wrapped',
    ...fault(ewt, 'TRX-CREATED-EVENT', 'answer'),
    sentence: 'In transactions, the fields of CreatedEvent are nested in a field value.',
    interceptor: alterAnswers([ewt], (answer) =>
      changeMembers(answer, ['CreatedEvent'], (event) => ({ value: event })),
    ),
  },
  ...everyMember,
  ...lookUps,
  ...executions,
  ...submissions,
  ...changes,
  renamed(ewt, 'transaction', 'result', 'EXE-TRANSACTION'),
  renamed(vet, 'newVettedPackages', 'vettedPackages', 'VET-NEW-STATE'),
  exchanged('pastVettedPackages', 'newVettedPackages', 'VET-PAST-STATE'),
  always(saw, 'updateId', 'SAW-UPDATE-ID'),
  always(cbi, 'createdEvent', 'CBI-CREATED-EVENT'),
  populated('offset', 17),
  populated('nodeId', 3),
  populated('acsDelta', true),
  populated('createdEventBlob', 'CgMyLjE='),
  populated('interfaceViews', [
    { interfaceId: 'a:b:c', viewStatus: { code: 0, message: '', details: [] }, viewValue: {} },
  ]),
]
