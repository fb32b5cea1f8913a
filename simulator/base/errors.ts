/**
 * Where in a participant an error arises. It decides which members of the error body are filled, as the reference
 * participant 3.5.10 was seen to do:
 * - `conversion`: the JSON layer, before anything is handed on (no context of its own, `definiteAnswer` false)
 * - `service`: an internal service answered, without knowing of a submission
 * - `reading`: as `service`, where something is looked for that is not there
 * - `management`: as `service`, for changes of users (the context names the submission)
 * - `request`: the request's own fields were looked at (the submission id is the correlation id)
 * - `interpretation`: the commands were interpreted (as `request`, and the context repeats the submission)
 * - `format`: as `service`, for the format in which an execution is to be shown (no trace)
 * - `routing`: an interpreted transaction found no synchronizer (no trace, hardly any context)
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

export interface LedgerErrorDetails {
  origin: ErrorOrigin
  /** Error code as printed, for example `MISSING_FIELD`. */
  code: string
  /** 1 to 14, see interface/error-categories.ts. */
  category: number
  cause: string
  context?: Record<string, string>
  resources?: [kind: string, name: string][]
  /** The HTTP status, where it is not that of the category. */
  status?: number
  /** Whether the context says that the outcome is final; absent for the errors that do not say. */
  definite?: 'true' | 'false' | 'unsaid'
}

/** A refusal that the interface reports with a code. Everything else that is thrown is a fault of the simulator. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError'
  readonly details: LedgerErrorDetails

  constructor(details: LedgerErrorDetails) {
    super(`${details.code}: ${details.cause}`)
    this.details = details
  }
}

/** An error whose content must not be told: only the gRPC code shows. */
export class RedactedError extends Error {
  override readonly name = 'RedactedError'
  readonly grpc: 'UNAUTHENTICATED' | 'PERMISSION_DENIED' | 'INTERNAL' | 'UNIMPLEMENTED' | 'INVALID_ARGUMENT'
  readonly context: Record<string, string>
  /** Whether the answer says by which trace the participant's log tells more. */
  readonly traced: boolean

  constructor(
    grpc: RedactedError['grpc'],
    { context = {}, traced = true }: Partial<Pick<RedactedError, 'context' | 'traced'>> = {},
  ) {
    super(`redacted ${grpc}`)
    this.grpc = grpc
    this.context = context
    this.traced = traced
  }
}

/**
 * A client's mistake that the reference answers with a server error. Which of the two answers is given is a matter of the
 * simulator's behaviour, and decided where answers are made.
 */
export class ReferenceFault extends Error {
  override readonly name = 'ReferenceFault'
  readonly reference: LedgerError | RedactedError
  readonly proper: LedgerError

  constructor(reference: LedgerError | RedactedError, proper: LedgerError) {
    super(proper.message)
    this.reference = reference
    this.proper = proper
  }
}

/** A refusal that never got a code: the description stands in its place, and the category is unknown. */
export class UnclassifiedError extends Error {
  override readonly name = 'UnclassifiedError'
  readonly grpc: 'INVALID_ARGUMENT'
  readonly description: string

  constructor(grpc: UnclassifiedError['grpc'], description: string) {
    super(`${grpc}: ${description}`)
    this.grpc = grpc
    this.description = description
  }
}

/** The body could not be decoded: 400, plain text that names each problem and its path. */
export class UndecodableBody extends Error {
  override readonly name = 'UndecodableBody'

  constructor(problems: readonly string[]) {
    super(`Invalid value for: body (${problems.join(', ')})`)
  }
}

/** A part of the request target could not be decoded: 400, plain text. */
export class UndecodableParameter extends Error {
  override readonly name = 'UndecodableParameter'

  constructor(part: string) {
    super(`Invalid value for: ${part}`)
  }
}

const ledgerError =
  (code: string, category: number) =>
  (
    origin: ErrorOrigin,
    cause: string,
    more: Pick<LedgerErrorDetails, 'context' | 'resources' | 'definite' | 'status'> = {},
  ) =>
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
/** A filter names something that no version of its package has. */
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
export const duplicateCommand = ledgerError('DUPLICATE_COMMAND', 10)
/** Something that keeps a transaction from being prepared, though its commands may be sound. */
export const failedToPrepare = (problem: string): LedgerError =>
  ledgerError('FAILED_TO_PREPARE_TRANSACTION', 8)(
    'service',
    `The participant failed to prepare the transaction: ${problem}`,
  )
/** Something that keeps a signed transaction from being handed on. */
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
export const darValidationError = ledgerError('DAR_VALIDATION_ERROR', 8)
export const invalidDar = ledgerError('INVALID_DAR', 8)
export const negativeOffset = ledgerError('NEGATIVE_OFFSET', 8)
export const invalidToken = ledgerError('INVALID_TOKEN', 8)
export const staleStreamAuthorization = (): LedgerError =>
  ledgerError('STALE_STREAM_AUTHORIZATION', 2)('service', 'Stale stream authorization. Retry quickly.')
export const internalError = ledgerError('LEDGER_API_INTERNAL_ERROR', 4)
export const updateNotFound = ledgerError('UPDATE_NOT_FOUND', 11)
export const userNotFound = ledgerError('USER_NOT_FOUND', 11)
export const invalidUserUpdate = ledgerError('INVALID_USER_UPDATE_REQUEST', 8)
export const userAlreadyExists = ledgerError('USER_ALREADY_EXISTS', 10)
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
