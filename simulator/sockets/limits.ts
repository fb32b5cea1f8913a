/** How much of the simulator the clients of WebSockets may take. */
export interface SocketLimits {
  /** WebSockets that are open at the same time. */
  open: number
  /** Milliseconds from the handshake to the request. */
  request: number
  /** Bytes that wait for a client before the stream waits for it, too. */
  unsent: number
  /** Milliseconds that the stream waits for a client that does not read. */
  stall: number
  /** Milliseconds that a client has to confirm that the WebSocket ends. */
  farewell: number
}

/** The request has as long as one over HTTP. */
export const usualLimits = (receiveLimit: number): SocketLimits => ({
  open: 200,
  request: receiveLimit,
  unsent: 1024 * 1024,
  stall: 10_000,
  farewell: 1_000,
})
