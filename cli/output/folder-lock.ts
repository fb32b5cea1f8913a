/** Keeps two runs out of one folder of results. */
import { randomUUID } from 'node:crypto'
import { open, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { readInputText } from '../../lib/files/read-input.js'
import { UsageError } from '../console/usage-error.js'

const lockName = '.lock'
/** A holder that lives touches its lock that often. */
const beat = 5_000
/** A lock that was not touched for so long has no owner. */
const staleAfter = 60_000

interface Holder {
  pid: number
  host: string
  since: string
  /** A process that was halted may find its lock taken over by another of the same process id, elsewhere or later, or by itself. */
  id: string
}

/** The ids of the locks that this process holds. */
const held = new Set<string>()

export interface FolderLock {
  release(): Promise<void>
}

/** Throws `UsageError` where another run has the folder, and the error of the file system where nothing can be written. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, lockName)
  const own: Holder = { pid: process.pid, host: hostname(), since: new Date().toISOString(), id: randomUUID() }
  // Before it is written: another run of this process may read it at once.
  held.add(own.id)
  for (let attempt = 0; ; attempt += 1) {
    if (await create(path, own)) break
    const holder = await liveHolder(path)
    // Two that find the same stale lock may remove each other's new one: then the loser is told.
    if (holder !== undefined || attempt > 2) throw inUse(folder, path, holder)
    await rm(path, { force: true })
  }
  const beating = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => undefined)
  }, beat)
  beating.unref()
  return {
    release: async () => {
      clearInterval(beating)
      held.delete(own.id)
      // Another process may have taken it over, as from a process that was halted for long.
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

/** Undefined: no process has it any more. A lock that says nothing was written just now, or its writer was killed over it. */
async function liveHolder(path: string): Promise<Partial<Holder> | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (!found || Date.now() - found.mtimeMs > staleAfter) return undefined
  const holder = await readHolder(path)
  if (holder.pid === undefined || holder.host !== hostname()) return holder
  // In a container every process has the same id: a lock of this id that this process does not hold is that of its predecessor.
  const isGone = holder.pid === process.pid ? !held.has(holder.id ?? '') : !isAlive(holder.pid)
  return isGone ? undefined : holder
}

async function readHolder(path: string): Promise<Partial<Holder>> {
  try {
    return JSON.parse(await readInputText(path, 'a lock or link file')) as Partial<Holder> // what `create` writes, or nothing of it
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
  const who = holder.pid === undefined ? '' : ` (process ${holder.pid} on ${holder.host}, since ${holder.since})`
  return new UsageError(
    `out: another run${who} writes into ${folder}: wait for it, or name another folder. If there is none, remove ${path}`,
  )
}
