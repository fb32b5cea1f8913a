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

type GrpcCodeName = keyof typeof grpcCodes

interface ErrorCategory {
  grpcCode: number
  httpStatus: number
  /** `retryInfo`, or undefined. */
  retry: string | undefined
}

const soon = '1 second'

/** Participants only log category 13. */
const errorCategories: Readonly<Record<number, [grpc: GrpcCodeName, retry?: string]>> = {
  1: ['UNAVAILABLE', soon], // the server cannot do it at the moment
  2: ['ABORTED', soon], // other clients hold the resource
  3: ['DEADLINE_EXCEEDED', soon], // time ran out, the outcome is unknown
  4: ['INTERNAL'], // fault of the system
  5: ['INVALID_ARGUMENT'], // suspected attack or tampering
  6: ['UNAUTHENTICATED'], // the caller is not known
  7: ['PERMISSION_DENIED'], // the caller is not allowed to
  8: ['INVALID_ARGUMENT'], // the request can never be right
  9: ['FAILED_PRECONDITION'], // the request is not right in the present state
  10: ['ALREADY_EXISTS'], // it exists already
  11: ['NOT_FOUND'], // it does not exist
  12: ['OUT_OF_RANGE', soon], // it lies beyond the end
  14: ['UNIMPLEMENTED'], // not supported
}

/** Throws a RangeError for 13 and unknown numbers. */
export function categoryOf(number: number): ErrorCategory {
  const found = errorCategories[number]
  if (!found) throw new RangeError(`no error that can be answered has category ${number} (1 to 12, or 14)`)
  const [grpc, retry] = found
  const { number: grpcCode, httpStatus } = grpcCodes[grpc]
  return { grpcCode, httpStatus, retry }
}
