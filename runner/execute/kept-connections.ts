/**
 * Connections over which questions go, one after the other. What only looks need not pay for one of its own, as it can be asked again;
 * whatever may change something never goes over a connection that another exchange has used.
 */
import type { Connection } from '../target/connection/open-connection.js'
import { onlyLooks } from './availability.js'
import type { BuiltRequest } from './build-request.js'

/** Whether an exchange may go over the connection of another one. */
export const mayShare = ({ method, path, wire }: BuiltRequest): boolean => wire === undefined && onlyLooks(method, path)

/** A connection that another exchange has left. */
interface Kept {
  connection: Connection
  /** Whether nothing at all has come over it since, not even a piece of an answer. */
  isSilent(): boolean
}

export class KeptConnections {
  readonly #idle: Connection[] = []
  #isRefused = false

  /** One that is still open; undefined where there is none. */
  take(): Kept | undefined {
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      const socket = connection.socket?.()
      if (!socket || socket.destroyed) continue
      const [kept, before] = [connection, socket.bytesRead]
      return { connection: kept, isSilent: () => kept.socket?.() === socket && socket.bytesRead === before }
    }
    return undefined
  }

  /** Whether it is kept: otherwise it is to be ended. */
  keep(connection: Connection): boolean {
    const isOpen = connection.socket?.()?.destroyed === false
    if (this.#isRefused || !isOpen) return false
    this.#idle.push(connection)
    return true
  }

  /** The target did not answer over a connection that it had left open: from now on each exchange has one of its own. */
  refuse(): void {
    this.#isRefused = true
  }
}
