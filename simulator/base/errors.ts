import { UsageError } from '../../lib/usage-error.js'
import type { SwitchPoint } from './behaviour.js'

/**
 * Decides which members of the error body are present (observed on 3.5.10):
 * - `conversion`: the JSON layer (no context of its own, `definiteAnswer` false)
 * - `service`: a service without a submission; `reading`: the same, for missing objects
 * - `management`: the same, for users (context with the submission)
 * - `request`: checks of the request (the submission id is the correlation id)
 * - `interpretation`: as `request`, and the context repeats the submission
 * - `format`: as `service`, for the event format of an execution (no trace)
 * - `routing`: no synchronizer found (no trace, little context)
 */
export type ErrorOrigin =
  | 'conversion'
  | 'service'
  | 'reading'
  | 'management'
  | 'request'
  | 'interpretation'
  | 'format'
  | 'routing'

interface OptionalDetails {
  context?: Record<string, string>
  resources?: [kind: string, name: string][]
  /** Default: from the category. */
  status?: number
}

/** What a client reads of every error of the ledger. */
export interface ErrorContent extends OptionalDetails {
  code: string
  /** See interface/error-categories.ts. */
  category: number
  cause: string
}

export interface LedgerErrorDetails extends ErrorContent {
  origin: ErrorOrigin
}

export class LedgerError extends Error {
  override readonly name = 'LedgerError'
  readonly details: LedgerErrorDetails

  constructor(details: LedgerErrorDetails) {
    super(`${details.code}: ${details.cause}`)
    this.details = details
  }
}

interface RedactedDetails {
  context?: Record<string, string>
  /** Default: true. */
  traced?: boolean
  description?: string
}

/** Shows the client only the gRPC code, and a description if one is given. */
export class RedactedError extends Error {
  override readonly name = 'RedactedError'
  readonly grpc:
    | 'UNAUTHENTICATED'
    | 'PERMISSION_DENIED'
    | 'INTERNAL'
    | 'UNIMPLEMENTED'
    | 'INVALID_ARGUMENT'
    | 'NOT_FOUND'
  readonly context: Record<string, string>
  readonly traced: boolean
  readonly description: string | undefined

  constructor(grpc: RedactedError['grpc'], { context = {}, traced = true, description }: RedactedDetails = {}) {
    super(`${grpc}: ${description ?? 'redacted'}`)
    this.grpc = grpc
    this.context = context
    this.traced = traced
    this.description = description
  }
}

/** A client error that the reference answers with a server error. The behaviour selects the answer. */
export class ReferenceFault extends Error {
  override readonly name = 'ReferenceFault'
  readonly reference: LedgerError | RedactedError
  readonly proper: LedgerError
  /** With this switch point the participant has the fault. */
  readonly point: SwitchPoint

  constructor(reference: LedgerError | RedactedError, proper: LedgerError, point: SwitchPoint) {
    super(proper.message)
    this.point = point
    this.reference = reference
    this.proper = proper
  }
}

/** Answered as plain text. */
export class PlainRefusal extends Error {
  override readonly name = 'PlainRefusal'
  readonly status: 400 | 413

  constructor(status: PlainRefusal['status'], text: string) {
    super(text)
    this.status = status
  }
}

export const undecodable = (part: string): PlainRefusal => new PlainRefusal(400, `Invalid value for: ${part}`)

export const undecodableBody = (problems: readonly string[]): PlainRefusal =>
  undecodable(`body (${problems.join(', ')})`)

const ledgerError =
  (code: string, category: number) =>
  (origin: ErrorOrigin, cause: string, more: OptionalDetails = {}) =>
    new LedgerError({ origin, code, category, cause, ...more })

export const invalidArgument = (
  origin: ErrorOrigin,
  problem: string,
  context: Record<string, string> = {},
): LedgerError =>
  ledgerError('INVALID_ARGUMENT', 8)(origin, `The submitted request has invalid arguments: ${problem}`, { context })

export const invalidField = (
  origin: ErrorOrigin,
  field: string,
  problem: string,
  context: Record<string, string> = {},
): LedgerError =>
  ledgerError('INVALID_FIELD', 8)(
    origin,
    `The submitted command has a field with invalid value: Invalid field ${field}: ${problem}`,
    { context },
  )

export const missingField = (origin: ErrorOrigin, field: string): LedgerError =>
  ledgerError('MISSING_FIELD', 8)(origin, `The submitted command is missing a mandatory field: ${field}`, {
    context: { field_name: field },
  })

export const commandPreprocessingFailed = ledgerError('COMMAND_PREPROCESSING_FAILED', 8)
export const contractPayloadNotFound = ledgerError('CONTRACT_PAYLOAD_NOT_FOUND', 11)
export const contractNotFound = ledgerError('CONTRACT_NOT_FOUND', 11)
export const unsupportedContractId = ledgerError('UNSUPPORTED_CONTRACT_ID', 11)
export const contractNotActive = ledgerError('CONTRACT_NOT_ACTIVE', 11)
export const contractKeyNotFound = ledgerError('CONTRACT_KEY_NOT_FOUND', 11)
export const wronglyTypedContract = ledgerError('WRONGLY_TYPED_CONTRACT', 9)
export const contractDoesNotImplementInterface = ledgerError('CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE', 8)
export const damlAuthorizationError = ledgerError('DAML_AUTHORIZATION_ERROR', 8)
export const damlFailure = (category: number) => ledgerError('DAML_FAILURE', category)
export const userError = ledgerError('INTERPRETATION_USER_ERROR', 9)
export const effectfulRollbackError = ledgerError('DAML_EFFECTFUL_ROLLBACK_ERROR', 8)
export const packageNameUnresolved = ledgerError('UNRESOLVED_PACKAGE_NAME', 11)
export const tooDeep = ledgerError('VALUE_NESTING', 8)
export const emptyMaintainers = ledgerError('CREATE_EMPTY_CONTRACT_KEY_MAINTAINERS', 8)
export const nonComparableValues = ledgerError('NON_COMPARABLE_VALUES', 8)
export const interpretationError = ledgerError('DAML_INTERPRETATION_ERROR', 9)
export const interpretationTimeExceeded = ledgerError('INTERPRETATION_TIME_EXCEEDED', 2)
export const cryptoError = (problem: 'BYTE_ENCODING' | 'KEY' | 'SIGNATURE') =>
  ledgerError(`INTERPRETATION_CRYPTO_ERROR_MALFORMED_${problem}`, 9)
export const templatePreconditionViolated = ledgerError('TEMPLATE_PRECONDITION_VIOLATED', 8)
export const upgradeValidationFailed = ledgerError('INTERPRETATION_UPGRADE_ERROR_VALIDATION_FAILED', 8)
export const upgradeTranslationFailed = ledgerError('INTERPRETATION_UPGRADE_ERROR_TRANSLATION_FAILED', 8)
export const disclosedContractAuthenticationFailed = ledgerError('DISCLOSED_CONTRACT_AUTHENTICATION_FAILED', 8)
export const lockedContracts = ledgerError('LOCAL_VERDICT_LOCKED_CONTRACTS', 2)
export const submissionAlreadyInFlight = ledgerError('SUBMISSION_ALREADY_IN_FLIGHT', 2)
export const inactiveContracts = ledgerError('LOCAL_VERDICT_INACTIVE_CONTRACTS', 11)
export const templatesNotFound = ledgerError('TEMPLATES_OR_INTERFACES_NOT_FOUND', 11)
export const packageNamesNotFound = ledgerError('PACKAGE_NAMES_NOT_FOUND', 11)
const missingEntity = (kind: 'template' | 'interface', code: string) => {
  const error = ledgerError(code, 11)
  return (origin: ErrorOrigin, id: { packageName: string; module: string; entity: string }): LedgerError => {
    const problem = `package-name/${kind} qualified-name pairs do not reference any ${kind}-id uploaded on this participant`
    return error(origin, `The following ${problem}: [(${id.packageName},${id.module}:${id.entity})].`)
  }
}
export const templateNotFound = missingEntity('template', 'NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME')
export const interfaceNotFound = missingEntity('interface', 'NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME')
export const packageSelectionFailed = ledgerError('JSON_API_PACKAGE_SELECTION_FAILED', 9)
export const unknownInformees = ledgerError('UNKNOWN_INFORMEES', 11)
export const unknownSubmitters = ledgerError('UNKNOWN_SUBMITTERS', 11)
export const cannotSubmitForAll = ledgerError('NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT', 11)
export const languageVersionNotAllowed = ledgerError('ALLOWED_LANGUAGE_VERSIONS', 8)
export const invalidDeduplicationPeriod = ledgerError('INVALID_DEDUPLICATION_PERIOD', 9)
export const duplicateCommand = ledgerError('DUPLICATE_COMMAND', 10)
export const failedToPrepare = (problem: string): LedgerError =>
  ledgerError('FAILED_TO_PREPARE_TRANSACTION', 8)(
    'service',
    `The participant failed to prepare the transaction: ${problem}`,
  )
export const failedToExecute = (problem: string): LedgerError =>
  ledgerError('FAILED_TO_EXECUTE_TRANSACTION', 8)(
    'service',
    `The participant failed to execute the transaction: ${problem}`,
  )
export const malformedRequest = ledgerError('MALFORMED_REQUEST', 8)
export const duplicateUuid = ledgerError('DUPLICATE_CONFIRMATION_REQUEST_UUID', 5)
export const noMediator = ledgerError('SYNCHRONIZER_WITHOUT_MEDIATOR', 11)
export const ledgerTimeOutOfBound = ledgerError('LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND', 2)
export const preparationTimeOutOfBound = ledgerError('LOCAL_VERDICT_PREPARATION_TIME_OUT_OF_BOUND', 2)
export const maxRecordTimeExceeded = ledgerError('LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED', 2)
export const notSequencedInTime = ledgerError('NOT_SEQUENCED_TIMEOUT', 2)
export const darParseError = ledgerError('DAR_PARSE_ERROR', 8)
export const darDependenciesNotValid = ledgerError('DAR_DEPENDENCIES_NOT_VALID', 8)
export const invalidZipEntry = ledgerError('INVALID_ZIP_ENTRY', 8)
export const invalidDar = ledgerError('INVALID_DAR', 8)
export const negativeOffset = ledgerError('NEGATIVE_OFFSET', 8)
export const invalidToken = ledgerError('INVALID_TOKEN', 8)
export const staleStreamAuthorization = (): LedgerError =>
  ledgerError('STALE_STREAM_AUTHORIZATION', 2)('service', 'Stale stream authorization. Retry quickly.')
export const internalError = ledgerError('LEDGER_API_INTERNAL_ERROR', 4)
export const updateNotFound = ledgerError('UPDATE_NOT_FOUND', 11)
export const userNotFound = ledgerError('USER_NOT_FOUND', 11)
export const invalidUserUpdate = ledgerError('INVALID_USER_UPDATE_REQUEST', 8)
export const concurrentUserUpdate = ledgerError('CONCURRENT_USER_UPDATE_DETECTED', 2)
export const userAnnotationsTooLarge = ledgerError('MAX_USER_ANNOTATIONS_SIZE_EXCEEDED', 9)
export const tooManyUserRights = ledgerError('TOO_MANY_USER_RIGHTS', 9)
export const partyNotFound = ledgerError('PARTY_NOT_FOUND', 11)
export const invalidPartyUpdate = ledgerError('INVALID_PARTY_DETAILS_UPDATE_REQUEST', 8)
export const concurrentPartyUpdate = ledgerError('CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED', 2)
export const partyAnnotationsTooLarge = ledgerError('MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED', 9)
export const userAlreadyExists = ledgerError('USER_ALREADY_EXISTS', 10)
export const identityProviderNotFound = ledgerError('IDP_CONFIG_NOT_FOUND', 11)
export const identityProviderExists = ledgerError('IDP_CONFIG_ALREADY_EXISTS', 10)
export const identityProviderIssuerExists = ledgerError('IDP_CONFIG_ISSUER_ALREADY_EXISTS', 10)
export const invalidIdentityProviderUpdate = ledgerError('INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST', 8)
export const databaseTransient = ledgerError('INDEX_DB_SQL_TRANSIENT_ERROR', 1)
export const contractEventsNotFound = ledgerError('CONTRACT_EVENTS_NOT_FOUND', 11)
export const offsetAfterLedgerEnd = ledgerError('OFFSET_AFTER_LEDGER_END', 12)
export const offsetOutOfRange = ledgerError('OFFSET_OUT_OF_RANGE', 9)
export const nonPositiveOffset = ledgerError('NON_POSITIVE_OFFSET', 8)
export const tooManyElements = (most: number): LedgerError =>
  ledgerError('JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED', 2)(
    'conversion',
    `The number of matching elements (${most + 1}) is greater than the node limit (${most}).`,
    { status: 413 },
  )
export const packageNotFound = ledgerError('PACKAGE_NOT_FOUND', 11)

/** `option` is a name in `SimulatorOptions`. The message contains no secret. */
export class SettingError extends UsageError {
  override readonly name = 'SettingError'
  readonly option: string
  readonly problem: string

  constructor(option: string, problem: string) {
    super(`${option}: ${problem}`)
    this.option = option
    this.problem = problem
  }
}

type StateErrorCode =
  | 'NOT_JSON'
  | 'NO_STATE'
  | 'STATE_VERSION'
  /** Changed after the save, or incomplete. */
  | 'STATE_INCONSISTENT'
  | 'STATE_TOO_LARGE'

export class StateError extends Error {
  override readonly name = 'StateError'
  readonly code: StateErrorCode

  constructor(code: StateErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The submission certainly has no further effect. */
const definite = new Set(['DUPLICATE_COMMAND', 'INVALID_DEDUPLICATION_PERIOD'])

const absent = new Set([
  'AMBIGUOUS_VETTING_REFERENCE',
  'CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED',
  'CONCURRENT_USER_UPDATE_DETECTED',
  'DAR_DEPENDENCIES_NOT_VALID',
  'DAR_PARSE_ERROR',
  'DUPLICATE_CONFIRMATION_REQUEST_UUID',
  'INVALID_DAR',
  'INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST',
  'INVALID_PARTY_DETAILS_UPDATE_REQUEST',
  'INVALID_USER_UPDATE_REQUEST',
  'INVALID_ZIP_ENTRY',
  'KNOWN_PACKAGE_VERSION',
  'MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED',
  'MAX_USER_ANNOTATIONS_SIZE_EXCEEDED',
  'NEGATIVE_OFFSET',
  'NON_POSITIVE_OFFSET',
  'NOT_VALID_UPGRADE_PACKAGE',
  'PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER',
  'PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER',
  'PARTY_ALLOCATION_CANNOT_DETERMINE_SYNCHRONIZER',
  'PARTY_ALLOCATION_WITHOUT_CONNECTED_SYNCHRONIZER',
  'PROTO_DESERIALIZATION_FAILURE',
  'TOPOLOGY_DEPENDENCIES_NOT_VETTED',
  'TOPOLOGY_INVALID_MAPPING',
  'TOPOLOGY_SERIAL_MISMATCH',
  'UNRESOLVED_VETTING_REFERENCE',
])

/** The member `definite_answer` in the context of an error, by its code (observed on 3.5.10). Undefined: absent. */
export function definiteAnswerOf(code: string): 'true' | 'false' | undefined {
  if (definite.has(code)) return 'true'
  return absent.has(code) ? undefined : 'false'
}
