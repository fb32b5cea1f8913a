import type { Connection } from '../target/connection/open-connection.js'

const over = new Error('the row is over')

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
