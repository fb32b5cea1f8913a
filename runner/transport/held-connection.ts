import type { Connection } from '../target/connection/open-connection.js'

const over = new Error('the row is over')

/** The connection of the last exchange of a row, for steps that are sent over the one of the step before. */
export class HeldConnection {
  #kept: Connection | undefined

  /** Undefined: there is none, or it has been taken. */
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

/** How an exchange uses it: `again` goes over the one that is kept. */
export interface ConnectionUse {
  held: HeldConnection
  again: boolean
}
