/** One process at a time for a file: a lock of `proper-lockfile` beside it. */
import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { lock } from 'proper-lockfile'
import { realPathOf } from './real-path.js'
import { systemCode } from './system-error.js'

/** Milliseconds after which the lock of a process that was killed, wherever it ran, has no owner. */
const staleAfter = 5_000
/** A process that lives touches its lock that often. */
const beat = 1_000
/** Milliseconds between two attempts. */
const pause = 200

/** Another process has the file. */
export class FileInUse extends Error {
  override readonly name = 'FileInUse'

  constructor(path: string) {
    super(`another process has locked it; if no process uses it, delete ${path}`)
  }
}

export interface FileLock {
  /** The file itself, without symbolic links: a second name leads to the same lock. */
  readonly path: string
  /** False once another process has taken the lock, as it may after this one was halted for longer than 5 s. */
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

/**
 * Waits up to 6 s for a lock that is not touched, as a killed process leaves it; `waiting` is called once before. The file itself
 * may be missing, its folder may not. Rejects with `FileInUse`, and with the error of the file system.
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
    // A process that touches it is alive.
    if (seen !== now || waited > staleAfter + beat) throw new FileInUse(name)
    await delay(pause)
  }
}

interface TakenLock {
  release(): Promise<void>
  /** Until the library has noticed that the lock is lost: then it no longer removes it when the process ends. */
  lost: Promise<void>
}

/** Undefined where another process has it, or may have. */
async function attempt(path: string): Promise<TakenLock | undefined> {
  let lose = (): void => undefined
  const lost = new Promise<void>((resolve) => {
    lose = resolve
  })
  try {
    const release = await lock(path, { realpath: false, stale: staleAfter, update: beat, onCompromised: () => lose() })
    return { release, lost }
  } catch (error) {
    // ENOTDIR: a file of that name, as earlier versions left it.
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

/** Which folder it is: a process that takes over a lock makes a new one. */
async function identityOf(name: string): Promise<string> {
  const { ino, birthtimeMs } = await stat(name)
  return `${ino} ${birthtimeMs}`
}

const touchedAt = async (name: string): Promise<string> =>
  stat(name).then(
    ({ mtimeMs, ino }) => `${mtimeMs} ${ino}`,
    () => 'gone',
  )
