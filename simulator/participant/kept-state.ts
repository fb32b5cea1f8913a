/** The state in a file: each write replaces the whole file; a lock excludes other processes. */

import { InputError, systemCode } from '../../lib/files/file-errors.js'
import { type FileLock, lockFile } from '../../lib/files/lock-file.js'
import { readInputText } from '../../lib/files/read-input.js'
import { replaceFile } from '../../lib/files/write-output.js'
import { log } from '../base/log.js'
import type { Participant } from './participant.js'
import { stateText } from './state-document.js'

/** Milliseconds from a change to its write. */
const shortestDelay = 300
/** Limits writing to a tenth of the time. */
const delayPerDuration = 10

export class KeptState {
  readonly #lock: FileLock
  /** Undefined: no file. */
  readonly state: string | undefined
  #participant: Participant | undefined
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #delay = shortestDelay
  #problem: string | undefined

  private constructor(lock: FileLock, state: string | undefined) {
    this.#lock = lock
    this.state = state
  }

  /** Calls `waiting` if the lock is taken. Rejects with `FileInUse`, `InputError`, and file system errors. */
  static async open(file: string, waiting: () => void): Promise<KeptState> {
    const lock = await lockFile(file, waiting)
    try {
      return new KeptState(lock, await readIfThere(lock.path))
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /** Writes at once and after each change. */
  async follow(participant: Participant): Promise<void> {
    this.#participant = participant
    await this.#write()
  }

  get problem(): string | undefined {
    return this.#problem
  }

  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#writing.then(() => this.#writeOrLog())
    }, this.#delay)
  }

  /** Does not write. */
  async release(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    await this.#lock.release()
  }

  /** Rejects if the last write fails. */
  async end(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    try {
      await this.#write()
    } finally {
      await this.#lock.release()
    }
  }

  async #writeOrLog(): Promise<void> {
    try {
      await this.#write()
      this.#problem = undefined
    } catch (error) {
      log(`the state was not saved; ${this.#lock.path} is unchanged`, error)
      // Not its message, which contains a path.
      this.#problem = systemCode(error) || 'unknown cause'
    }
  }

  async #write(): Promise<void> {
    if (!this.#participant) return
    const { path } = this.#lock
    if (!(await this.#lock.isHeld())) throw new Error(`another process has taken the lock of ${path}`)
    const begin = performance.now()
    await replaceFile(path, stateText(this.#participant), { temporary: `${path}.new` })
    this.#delay = Math.max(shortestDelay, (performance.now() - begin) * delayPerDuration)
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readInputText(file, 'a saved state')
  } catch (error) {
    if (error instanceof InputError && systemCode(error.cause) === 'ENOENT') return undefined
    throw error
  }
}
