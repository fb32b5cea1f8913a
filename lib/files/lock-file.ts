import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { lock } from 'proper-lockfile'
import { UsageError } from '../usage-error.js'
import { systemCode } from './file-errors.js'
import { realPathOf } from './paths.js'

/** Milliseconds until an untouched lock has no owner. */
const staleAfter = 5_000
/** Milliseconds between updates of an owned lock. */
const beat = 1_000
/** Milliseconds between attempts. */
const pause = 200

export class FileInUse extends UsageError {
  override readonly name = 'FileInUse'

  constructor(path: string) {
    super(`another process has locked it; if no process uses it, delete ${path}`)
  }
}

export interface FileLock {
  /** Without symbolic links. */
  readonly path: string
  /** False if another process took the lock while this one was halted. */
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

/**
 * Waits up to 6 s for the lock of a killed process. The folder must exist. Rejects with `FileInUse` or file system
 * errors.
 */
export async function lockFile(file: string, waiting: () => void): Promise<FileLock> {
  const path = await realPathOf(file)
  const name = `${path}.lock`
  let seen: string | undefined
  for (let waited = 0; ; waited += pause) {
    const taken = await attempt(path)
    if (taken) return heldLock(path, name, await identityOf(name), taken)
    const now = await touchedAt(name)
    if (seen === undefined) {
      waiting()
      seen = now
    }
    // Its owner is alive.
    if (seen !== now || waited > staleAfter + beat) throw new FileInUse(name)
    await delay(pause)
  }
}

interface TakenLock {
  release(): Promise<void>
  /**
   * Resolves when the library notices the loss. From then on it does not remove the lock of another process at exit.
   */
  lost: Promise<void>
}

/** Undefined if the file is locked. */
async function attempt(path: string): Promise<TakenLock | undefined> {
  let lose = (): void => undefined
  const lost = new Promise<void>((resolve) => {
    lose = resolve
  })
  try {
    const release = await lock(path, { realpath: false, stale: staleAfter, update: beat, onCompromised: () => lose() })
    return { release, lost }
  } catch (error) {
    // ENOTDIR: a lock file of an earlier version.
    if (systemCode(error) === 'ELOCKED' || systemCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

const heldLock = (path: string, name: string, own: string, { release, lost }: TakenLock): FileLock => {
  const isHeld = async (): Promise<boolean> => (await identityOf(name).catch(() => undefined)) === own
  return {
    path,
    isHeld,
    release: async () => {
      if (!(await isHeld())) await Promise.race([lost, delay(2 * beat)])
      // It rejects if another process touched the lock, which then expires.
      else await release().catch(() => undefined)
    },
  }
}

/** A new owner creates a new folder. */
async function identityOf(name: string): Promise<string> {
  const { ino, birthtimeMs } = await stat(name)
  return `${ino} ${birthtimeMs}`
}

const touchedAt = async (name: string): Promise<string> =>
  stat(name).then(
    ({ mtimeMs, ino }) => `${mtimeMs} ${ino}`,
    () => 'gone',
  )
