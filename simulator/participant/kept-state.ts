/** The state of a participant in a file that follows it: whole at every moment, and written by one process alone. */
import { log } from '../base/log.js'
import { type FileLock, lockFile } from './file-lock.js'
import type { Participant } from './participant.js'
import { readStateFile, replaceFile, type SavedState } from './state-file.js'
import { stateLines } from './state-lines.js'

/** Milliseconds between a change and its being written. */
const shortestDelay = 300
/** Writing may take this part of the time at most: a large state is written less often. */
const delayPerDuration = 10

export class KeptState {
  readonly #file: string
  readonly #lock: FileLock
  /** What was in the file; undefined: there was none. */
  readonly state: SavedState | undefined
  #participant: Participant | undefined
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #delay = shortestDelay

  private constructor(file: string, lock: FileLock, state: SavedState | undefined) {
    this.#file = file
    this.#lock = lock
    this.state = state
  }

  /** Takes the file for this process. Rejects with `FileInUse`, and as reading and writing files does. */
  static async open(file: string): Promise<KeptState> {
    const lock = await lockFile(file)
    try {
      return new KeptState(file, lock, await readIfThere(file))
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  /** From now on the file is to show this participant; it does so at once. */
  async follow(participant: Participant): Promise<void> {
    this.#participant = participant
    await this.#write()
  }

  /** Something may have changed. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#writing = this.#writing.then(() => this.#writeOrComplain())
    }, this.#delay)
  }

  /** Gives the file back as it is. */
  async release(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    await this.#lock.release()
  }

  /** Writes what there is, and gives the file back. Rejects when it cannot be written. */
  async end(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writing
    try {
      await this.#write()
    } finally {
      await this.#lock.release()
    }
  }

  async #writeOrComplain(): Promise<void> {
    await this.#write().catch((error: unknown) => {
      log(`the state was not saved, and ${this.#file} is as it was before`, error)
    })
  }

  async #write(): Promise<void> {
    if (!this.#participant) return
    if (!(await this.#lock.isHeld())) throw new Error(`${this.#file} is kept by somebody else now`)
    const begin = performance.now()
    await replaceFile(this.#file, stateLines(this.#participant))
    this.#delay = Math.max(shortestDelay, (performance.now() - begin) * delayPerDuration)
  }
}

async function readIfThere(file: string): Promise<SavedState | undefined> {
  try {
    return await readStateFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
