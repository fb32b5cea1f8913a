/** Reference participant, 3.4 to 3.6. */
export const grpcCodes = {
  CANCELLED: { number: 1, httpStatus: 499 },
  UNKNOWN: { number: 2, httpStatus: 500 },
  INVALID_ARGUMENT: { number: 3, httpStatus: 400 },
  DEADLINE_EXCEEDED: { number: 4, httpStatus: 504 },
  NOT_FOUND: { number: 5, httpStatus: 404 },
  ALREADY_EXISTS: { number: 6, httpStatus: 409 },
  PERMISSION_DENIED: { number: 7, httpStatus: 403 },
  RESOURCE_EXHAUSTED: { number: 8, httpStatus: 429 },
  FAILED_PRECONDITION: { number: 9, httpStatus: 400 },
  ABORTED: { number: 10, httpStatus: 409 },
  OUT_OF_RANGE: { number: 11, httpStatus: 400 },
  UNIMPLEMENTED: { number: 12, httpStatus: 501 },
  INTERNAL: { number: 13, httpStatus: 500 },
  UNAVAILABLE: { number: 14, httpStatus: 503 },
  DATA_LOSS: { number: 15, httpStatus: 500 },
  UNAUTHENTICATED: { number: 16, httpStatus: 401 },
} as const

export type GrpcCodeName = keyof typeof grpcCodes

export interface ErrorCategory {
  number: number
  meaning: string
  grpc: GrpcCodeName
  grpcCode: number
  httpStatus: number
  /** `retryInfo`, or undefined. */
  retry: string | undefined
  /** The participant hides code and cause (`NA`, category -1). */
  redacted: 'always' | 'sometimes' | 'never'
}

const soon = '1 second'

/** Participants only log category 13. */
const errorCategories: readonly ErrorCategory[] = [
  category(1, 'the server cannot do it at the moment', 'UNAVAILABLE', 'never', soon),
  category(2, 'other clients hold the resource', 'ABORTED', 'never', soon),
  category(3, 'time ran out, the outcome is unknown', 'DEADLINE_EXCEEDED', 'never', soon),
  category(4, 'fault of the system', 'INTERNAL', 'always'),
  category(5, 'suspected attack or tampering', 'INVALID_ARGUMENT', 'sometimes'),
  category(6, 'the caller is not known', 'UNAUTHENTICATED', 'always'),
  category(7, 'the caller is not allowed to', 'PERMISSION_DENIED', 'always'),
  category(8, 'the request can never be right', 'INVALID_ARGUMENT', 'never'),
  category(9, 'the request is not right in the present state', 'FAILED_PRECONDITION', 'never'),
  category(10, 'it exists already', 'ALREADY_EXISTS', 'never'),
  category(11, 'it does not exist', 'NOT_FOUND', 'never'),
  category(12, 'it lies beyond the end', 'OUT_OF_RANGE', 'never', soon),
  category(14, 'not supported', 'UNIMPLEMENTED', 'always'),
]

function category(
  number: number,
  meaning: string,
  grpc: GrpcCodeName,
  redacted: ErrorCategory['redacted'],
  retry?: string,
): ErrorCategory {
  const { number: grpcCode, httpStatus } = grpcCodes[grpc]
  return { number, meaning, grpc, grpcCode, httpStatus, retry, redacted }
}

/** Throws a RangeError for 13 and unknown numbers. */
export function categoryOf(number: number): ErrorCategory {
  const found = errorCategories.find((category) => category.number === number)
  if (!found) throw new RangeError(`no error that can be answered has category ${number} (1 to 12, or 14)`)
  return found
}
