/** The state of a participant in a file that follows it: whole at every moment, and written by one process alone. */
import { InputError } from '../../lib/files/input-error.js'
import { type FileLock, lockFile } from '../../lib/files/lock-file.js'
import { replaceFile } from '../../lib/files/replace-file.js'
import { systemCode } from '../../lib/files/system-error.js'
import { log } from '../base/log.js'
import type { Participant } from './participant.js'
import { readStateFile, type SavedState } from './state-file.js'
import { stateLines } from './state-lines.js'

/** Milliseconds between a change and its being written. */
const shortestDelay = 300
/** Writing may take this part of the time at most: a large state is written less often. */
const delayPerDuration = 10

export class KeptState {
  readonly #lock: FileLock
  /** What was in the file; undefined: there was none. */
  readonly state: SavedState | undefined
  #participant: Participant | undefined
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #delay = shortestDelay

  private constructor(lock: FileLock, state: SavedState | undefined) {
    this.#lock = lock
    this.state = state
  }

  /** Takes the file for this process; `lockFile` says when it waits. Rejects with `FileInUse`, `InputError`, and the error of the file system. */
  static async open(file: string, waiting: () => void): Promise<KeptState> {
    const lock = await lockFile(file, waiting)
    try {
      return new KeptState(lock, await readIfThere(lock.path))
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
      log(`the state was not saved, and ${this.#lock.path} is as it was before`, error)
    })
  }

  async #write(): Promise<void> {
    if (!this.#participant) return
    const { path } = this.#lock
    if (!(await this.#lock.isHeld())) throw new Error(`another process has taken the lock of ${path}`)
    const begin = performance.now()
    await replaceFile(path, ended(stateLines(this.#participant)), { temporary: `${path}.new` })
    this.#delay = Math.max(shortestDelay, (performance.now() - begin) * delayPerDuration)
  }
}

function* ended(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`
}

async function readIfThere(file: string): Promise<SavedState | undefined> {
  try {
    return await readStateFile(file)
  } catch (error) {
    if (error instanceof InputError && systemCode(error.cause) === 'ENOENT') return undefined
    throw error
  }
}
