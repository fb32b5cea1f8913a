import type { Connection } from '../target/connection/open-connection.js'

/** undici creates an error with a stack for each connection that is destroyed without one. */
export const over = new Error('the exchange is over')

/** Of the steps of one row. */
export class HeldConnection {
  #kept: Connection | undefined

  take(): Connection | undefined {
    const kept = this.#kept
    this.#kept = undefined
    return kept
  }

  async keep(connection: Connection): Promise<void> {
    await this.end()
    this.#kept = connection
  }

  async end(): Promise<void> {
    await this.take()?.destroy(over)
  }
}

export interface ConnectionUse {
  held: HeldConnection
  /** Use the held connection. */
  again: boolean
}

interface Kept {
  connection: Connection
  /** The connection has received no byte since. */
  isSilent(): boolean
}

/**
 * Milliseconds. Servers close idle connections, Node after 5 s. A busy run reads the end late, and would take the
 * connection for one that the target closed instead of answering.
 */
const longestIdle = 2000

interface IdleConnection {
  connection: Connection
  /** By a monotonic clock, in milliseconds. */
  since: number
}

/** Of all read-only requests. */
export class KeptConnections {
  readonly #idle: IdleConnection[] = []
  readonly #now: () => number
  #isDisabled = false

  constructor(now: () => number) {
    this.#now = now
  }

  async take(): Promise<Kept | undefined> {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      const { connection, since } = idle
      const socket = connection.socket?.()
      if (!socket || socket.destroyed) continue
      if (this.#now() - since > longestIdle) {
        await connection.destroy(over)
        continue
      }
      const before = socket.bytesRead
      return { connection, isSilent: () => connection.socket?.() === socket && socket.bytesRead === before }
    }
    return undefined
  }

  /** False: the caller must end the connection. */
  keep(connection: Connection): boolean {
    const isOpen = connection.socket?.()?.destroyed === false
    if (this.#isDisabled || !isOpen) return false
    this.#idle.push({ connection, since: this.#now() })
    return true
  }

  /** After a missing answer, each exchange has its own connection. */
  disable(): void {
    this.#isDisabled = true
  }
}
