/** File locks of `proper-lockfile`: one process at a time. */
import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { lock } from 'proper-lockfile'
import { realPathOf } from './real-path.js'
import { systemCode } from './system-error.js'

/** Milliseconds after which an untouched lock has no owner. */
const staleAfter = 5_000
/** Milliseconds between two updates of an owned lock. */
const beat = 1_000
/** Milliseconds between two attempts. */
const pause = 200

/** Another process has locked the file. */
export class FileInUse extends Error {
  override readonly name = 'FileInUse'

  constructor(path: string) {
    super(`another process has locked it; if no process uses it, delete ${path}`)
  }
}

export interface FileLock {
  /** Without symbolic links, so each name has the same lock. */
  readonly path: string
  /** False after another process took the lock, for example if this one was halted for more than 5 s. */
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

/**
 * Waits up to 6 s for the untouched lock of a killed process, after one call of `waiting`. The file may be missing, but not its folder.
 * Rejects with `FileInUse` or with the error of the file system.
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
    // A touched lock has a live owner.
    if (seen !== now || waited > staleAfter + beat) throw new FileInUse(name)
    await delay(pause)
  }
}

interface TakenLock {
  release(): Promise<void>
  /** Until the library has noticed that the lock is lost: then it no longer removes it when the process ends. */
  lost: Promise<void>
}

/** Undefined if another process may have the lock. */
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
      // It rejects where the lock was touched by others; then it is not renewed, and expires.
      else await release().catch(() => undefined)
    },
  }
}

/** Identity of the lock folder; a new owner creates a new folder. */
async function identityOf(name: string): Promise<string> {
  const { ino, birthtimeMs } = await stat(name)
  return `${ino} ${birthtimeMs}`
}

const touchedAt = async (name: string): Promise<string> =>
  stat(name).then(
    ({ mtimeMs, ino }) => `${mtimeMs} ${ino}`,
    () => 'gone',
  )
