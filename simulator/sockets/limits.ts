export interface SocketLimits {
  /** Concurrent WebSockets. */
  open: number
  /** Milliseconds from the handshake to the request. */
  request: number
  /** Bytes before the stream waits for the client. */
  unsent: number
  /** Milliseconds of waiting for the client. */
  stall: number
  /** Milliseconds for the close handshake. */
  farewell: number
}

export const usualLimits = (receiveLimit: number): SocketLimits => ({
  open: 200,
  request: receiveLimit,
  unsent: 1024 * 1024,
  stall: 10_000,
  farewell: 1_000,
})
