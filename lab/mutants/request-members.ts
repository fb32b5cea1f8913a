/** Mutants that accept or demand one wrong member of a request. */
import type { OperationName } from '../../interface/operations.js'
import { isJsonObject, type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import { alterMembers, alterRequests, rejectRequests } from '../interceptors/interceptors.js'
import { cbi, ewt, exe, hyphenate, saw, vet } from '../interceptors/names.js'
import { fault, type Mutant } from './mutant.js'

const beyondAscii = /[^\0-\x7f]/

const nouns: Readonly<Record<OperationName, string>> = {
  [cbi]: 'lookup',
  [saw]: 'submission',
  [exe]: 'execution',
  [ewt]: 'waiting-execution',
  [vet]: 'vetting',
}

/** Conversions of any value. */
const readers = {
  text: (value: JsonValue): JsonValue => (typeof value === 'string' ? value : JSON.stringify(value)),
  texts: (value: JsonValue): JsonValue =>
    Array.isArray(value) ? value.map((item) => readers.text(item)) : [readers.text(value)],
  list: (value: JsonValue): JsonValue => (Array.isArray(value) ? value : [value]),
  truth: (value: JsonValue): JsonValue => (typeof value === 'boolean' ? value : value !== 'false' && value !== 0),
  nothing: (): JsonValue => null,
  noList: (): JsonValue => [],
} as const

type Reader = keyof typeof readers

const lenient = (operation: OperationName, member: string, as: Reader, rule: string): Mutant => ({
  name: `${nouns[operation]}-${hyphenate(member)}-of-any-type`,
  ...fault(operation, rule, 'acceptance'),
  sentence: `${operation} accepts a ${member} of any JSON type and converts it.`,
  interceptor: alterMembers([operation], [member], (value) =>
    value === null || isOfType(value, as) ? value : readers[as](value),
  ),
})

/** A value of the right type is not converted. */
function isOfType(value: JsonValue, as: Reader): boolean {
  if (as === 'noList' || as === 'list') return Array.isArray(value)
  if (as === 'texts') return Array.isArray(value) && value.every((item) => typeof item === 'string')
  if (as === 'truth') return typeof value === 'boolean'
  if (as === 'nothing') return typeof value === 'object' && !Array.isArray(value)
  return typeof value === 'string'
}

const madeUp = (
  operation: OperationName,
  member: string,
  rule: string,
  value: (body: JsonObject) => JsonValue,
): Mutant => ({
  name: `${nouns[operation]}-${hyphenate(member)}-made-up`,
  ...fault(operation, rule, 'acceptance'),
  sentence: `${operation} accepts a request without ${member} and generates a value.`,
  interceptor: alterRequests([operation], (body) =>
    (body[member] ?? null) === null || body[member] === '' ? { ...body, [member]: value(body) } : body,
  ),
})

const demanded = (operation: OperationName, member: string, rule: string): Mutant => ({
  name: `${nouns[operation]}-${hyphenate(member)}-demanded`,
  ...fault(operation, rule, 'refusal'),
  sentence: `${operation} rejects a request without ${member}.`,
  interceptor: rejectRequests([operation], (body) =>
    (body[member] ?? null) === null ? `${member} is missing` : undefined,
  ),
})

const shortIds = (operation: OperationName, member: string, rule: string): Mutant => ({
  name: `${nouns[operation]}-${hyphenate(member)}-up-to-64-characters`,
  ...fault(operation, rule, 'refusal'),
  sentence: `${operation} rejects a ${member} longer than 64 characters.`,
  interceptor: rejectRequests([operation], (body) =>
    String(body[member] ?? '').length > 64 ? `${member} is too long` : undefined,
  ),
})

let made = 0
const generateId = (): string => {
  made += 1
  return `made-up-${made}`
}

const lenientReaders: readonly Mutant[] = [
  lenient(cbi, 'contractId', 'text', 'CBI-CONTRACT-ID-TYPE'),
  lenient(cbi, 'queryingParties', 'noList', 'CBI-QUERYING-PARTIES-TYPE'),
  lenient(saw, 'commands', 'list', 'SAW-COMMANDS-TYPE'),
  lenient(saw, 'commandId', 'text', 'SAW-COMMAND-ID-TYPE'),
  lenient(saw, 'actAs', 'texts', 'SAW-ACT-AS-TYPE'),
  lenient(saw, 'userId', 'text', 'SAW-USER-ID-TYPE'),
  lenient(saw, 'readAs', 'noList', 'SAW-READ-AS-TYPE'),
  lenient(saw, 'workflowId', 'text', 'SAW-WORKFLOW-ID-TYPE'),
  lenient(saw, 'deduplicationPeriod', 'nothing', 'SAW-DEDUPLICATION-TYPE'),
  lenient(saw, 'submissionId', 'text', 'SAW-SUBMISSION-ID-TYPE'),
  lenient(saw, 'disclosedContracts', 'noList', 'SAW-DISCLOSED-CONTRACTS-TYPE'),
  lenient(saw, 'packageIdSelectionPreference', 'noList', 'SAW-PACKAGE-PREFERENCE-TYPE'),
  lenient(saw, 'prefetchContractKeys', 'noList', 'SAW-PREFETCH-KEYS-TYPE'),
  lenient(exe, 'submissionId', 'text', 'EXE-SUBMISSION-ID-TYPE'),
  lenient(ewt, 'submissionId', 'text', 'EXE-SUBMISSION-ID-TYPE'),
  lenient(exe, 'userId', 'text', 'EXE-USER-ID-TYPE'),
  lenient(ewt, 'userId', 'text', 'EXE-USER-ID-TYPE'),
  lenient(exe, 'minLedgerTime', 'nothing', 'EXE-MIN-LEDGER-TIME-TYPE'),
  lenient(ewt, 'minLedgerTime', 'nothing', 'EXE-MIN-LEDGER-TIME-TYPE'),
  lenient(ewt, 'transactionFormat', 'nothing', 'EXE-FORMAT-TYPE'),
  lenient(vet, 'dryRun', 'truth', 'VET-DRY-RUN-TYPE'),
  lenient(vet, 'synchronizerId', 'text', 'VET-SYNCHRONIZER-ID-TYPE'),
  lenient(vet, 'updateVettedPackagesForceFlags', 'noList', 'VET-FLAGS-TYPE'),
]

const generating: readonly Mutant[] = [
  madeUp(saw, 'commandId', 'SAW-COMMAND-ID-REQUIRED', generateId),
  madeUp(saw, 'userId', 'SAW-USER-ID-REQUIRED', () => 'somebody'),
  madeUp(exe, 'submissionId', 'EXE-SUBMISSION-ID-REQUIRED', generateId),
  madeUp(ewt, 'submissionId', 'EXE-SUBMISSION-ID-REQUIRED', generateId),
  madeUp(exe, 'hashingSchemeVersion', 'EXE-HASHING-SCHEME-REQUIRED', () => 'HASHING_SCHEME_VERSION_V2'),
  madeUp(ewt, 'hashingSchemeVersion', 'EXE-HASHING-SCHEME-REQUIRED', () => 'HASHING_SCHEME_VERSION_V2'),
]

const demanding: readonly Mutant[] = [
  demanded(cbi, 'queryingParties', 'CBI-QUERYING-PARTIES-OPTIONAL'),
  demanded(saw, 'readAs', 'SAW-READ-AS-OPTIONAL'),
  demanded(saw, 'workflowId', 'SAW-WORKFLOW-ID-OPTIONAL'),
  demanded(saw, 'deduplicationPeriod', 'SAW-DEDUPLICATION-OPTIONAL'),
  demanded(saw, 'minLedgerTimeAbs', 'SAW-MIN-LEDGER-TIME-ABS-OPTIONAL'),
  demanded(saw, 'minLedgerTimeRel', 'SAW-MIN-LEDGER-TIME-REL-OPTIONAL'),
  demanded(saw, 'submissionId', 'SAW-SUBMISSION-ID-OPTIONAL'),
  demanded(saw, 'disclosedContracts', 'SAW-DISCLOSED-CONTRACTS-OPTIONAL'),
  demanded(saw, 'synchronizerId', 'SAW-SYNCHRONIZER-ID-OPTIONAL'),
  demanded(saw, 'tapsMaxPasses', 'SAW-TAPS-OPTIONAL'),
  { ...demanded(exe, 'userId', 'EXE-USER-ID-OPTIONAL'), where: { authorization: true } },
  { ...demanded(ewt, 'userId', 'EXE-USER-ID-OPTIONAL'), where: { authorization: true } },
  demanded(exe, 'minLedgerTime', 'EXE-MIN-LEDGER-TIME-OPTIONAL'),
  demanded(ewt, 'minLedgerTime', 'EXE-MIN-LEDGER-TIME-OPTIONAL'),
  demanded(ewt, 'transactionFormat', 'EXE-FORMAT-OPTIONAL'),
  demanded(vet, 'updateVettedPackagesForceFlags', 'VET-FLAGS-OPTIONAL'),
]

const limiting: readonly Mutant[] = [
  shortIds(saw, 'commandId', 'SAW-COMMAND-ID-LEDGER-STRING'),
  shortIds(saw, 'workflowId', 'SAW-WORKFLOW-ID-LEDGER-STRING'),
  shortIds(saw, 'submissionId', 'SAW-SUBMISSION-ID-LEDGER-STRING'),
  shortIds(exe, 'submissionId', 'EXE-SUBMISSION-ID-LEDGER-STRING'),
  shortIds(ewt, 'submissionId', 'EXE-SUBMISSION-ID-LEDGER-STRING'),
  {
    name: 'arguments-of-ascii-alone',
    ...fault(saw, 'GEN-ANY-VALUE', 'refusal'),
    sentence: 'Commands whose values contain non-ASCII characters are rejected.',
    interceptor: rejectRequests([saw], ({ commands = null }) =>
      beyondAscii.test(printJson(commands)) ? 'the commands contain non-ASCII characters' : undefined,
    ),
  },
  {
    name: 'user-ids-without-hyphen',
    ...fault(saw, 'SAW-USER-ID-GRAMMAR', 'refusal'),
    sentence: 'A submission whose userId contains a hyphen is rejected, also if it is the userId of the caller.',
    interceptor: rejectRequests([saw], ({ userId }) =>
      String(userId ?? '').includes('-') ? 'userId contains a hyphen' : undefined,
    ),
  },
  {
    name: 'taps-limit-of-two-more',
    ...fault(saw, 'SAW-TAPS-LIMIT', 'acceptance'),
    sentence: 'A tapsMaxPasses up to two above the configured limit of 4 is accepted.',
    where: { behaviour: 'interface' },
    interceptor: alterMembers([saw], ['tapsMaxPasses'], (passes) => (passes === 5 || passes === 6 ? 4 : passes)),
  },
  {
    name: 'taps-limit-lowered',
    ...fault(saw, 'SAW-TAPS-LIMIT', 'acceptance'),
    sentence: 'A tapsMaxPasses above the configured limit is reduced to the limit, not rejected.',
    where: { behaviour: 'interface' },
    interceptor: alterMembers([saw], ['tapsMaxPasses'], (passes) =>
      typeof passes === 'number' ? Math.min(passes, 4) : passes,
    ),
  },
  {
    name: 'format-read-by-execute',
    ...fault(exe, 'EXE-FORMAT-NO-FIELD', 'refusal'),
    sentence: 'execute rejects a malformed transactionFormat, which is not a field of its request.',
    interceptor: rejectRequests([exe], ({ transactionFormat = null }) =>
      isMalformedFormat(transactionFormat) ? 'transactionFormat is malformed' : undefined,
    ),
  },
]

const isMalformedFormat = (format: JsonValue): boolean =>
  format !== null && !(isJsonObject(format) && 'eventFormat' in format && 'transactionShape' in format)

export const wrongRequestMembers: readonly Mutant[] = [...lenientReaders, ...generating, ...demanding, ...limiting]
