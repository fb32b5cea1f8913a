/** Why a WebSocket ends (RFC 6455, section 7.4.1, and the registry of close codes). */
export const closeCodes = {
  /** The stream is complete, or its last message is an error. */
  complete: 1000,
  /** The simulator ends. */
  goingAway: 1001,
  /** The request is a binary message. */
  unsupportedData: 1003,
  /** No request in time, or answers to pings that the client does not read. */
  policyViolation: 1008,
  /** Another state took the place of the one that the stream shows. */
  serviceRestart: 1012,
  /** The client reads too slowly. */
  tryAgainLater: 1013,
} as const

// The library adds 1002 (frames that break the protocol), 1007 (text that is no UTF-8) and 1009 (a message above the body limit).
