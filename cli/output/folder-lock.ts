/** Lock of a results folder: prevents two concurrent runs. */
import { randomUUID } from 'node:crypto'
import { open, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { readInputText } from '../../lib/files/read-input.js'
import { UsageError } from '../console/usage-error.js'

const lockName = '.lock'
/** Milliseconds between updates of the lock by its holder. */
const updateInterval = 5_000
/** Milliseconds without an update after which a lock is stale. */
const staleAfter = 60_000

interface Holder {
  pid: number
  host: string
  since: string
  /** Distinguishes locks of one process id: other machines, later processes, several locks of one process. */
  id: string
}

/** Ids of the locks of this process. */
const held = new Set<string>()

export interface FolderLock {
  release(): Promise<void>
}

/** Rejects with `UsageError` if another run holds the lock, and with the error of the file system. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, lockName)
  const own: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString(), id: randomUUID() }
  // Before the file exists, because another run of this process may read it immediately.
  held.add(own.id)
  for (let attempt = 0; ; attempt += 1) {
    if (await create(path, own)) break
    const holder = await liveHolder(path)
    // Two runs that find the same stale lock may remove each other's new lock; the loser gives up.
    if (holder !== undefined || attempt > 2) throw inUse(folder, path, holder)
    await rm(path, { force: true })
  }
  const updating = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => undefined)
  }, updateInterval)
  updating.unref()
  return {
    release: async () => {
      clearInterval(updating)
      held.delete(own.id)
      // After a long halt of this process, another process may hold the lock.
      const { id } = await readHolder(path)
      if (id === own.id) await rm(path, { force: true })
    },
  }
}

async function create(path: string, own: Holder): Promise<boolean> {
  try {
    const file = await open(path, 'wx')
    try {
      await file.writeFile(`${JSON.stringify(own)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Undefined if the lock is stale. An empty holder: the lock was created just now, or its writer was killed. */
async function liveHolder(path: string): Promise<Partial<Holder> | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (!found || Date.now() - found.mtimeMs > staleAfter) return undefined
  const holder = await readHolder(path)
  if (holder.pid === undefined || holder.host !== hostname()) return holder
  // In containers process ids repeat: a lock with this process id that this process does not hold belongs to an earlier one.
  const isGone = holder.pid === process.pid ? !held.has(holder.id ?? '') : !isAlive(holder.pid)
  return isGone ? undefined : holder
}

async function readHolder(path: string): Promise<Partial<Holder>> {
  try {
    return JSON.parse(await readInputText(path, 'a lock or link file')) as Partial<Holder> // written by `create`
  } catch {
    return {}
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function inUse(folder: string, path: string, holder: Partial<Holder> = {}): UsageError {
  const process = holder.pid === undefined ? '' : ` (process ${holder.pid} on ${holder.host}, since ${holder.since})`
  return new UsageError(
    `out: another run${process} uses ${folder}. Wait for its end, or choose another folder. If no run is active, remove ${path}`,
  )
}
