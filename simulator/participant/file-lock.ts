/** Keeps a file for one process: a second file beside it says whose it is. */
import { randomUUID } from 'node:crypto'
import { readFile, unlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'

/** Somebody else keeps the file. */
export class FileInUse extends Error {
  override readonly name = 'FileInUse'

  constructor(lock: string, owner: Owner | undefined) {
    const who = owner ? `process ${owner.process} on ${owner.machine}` : 'a process that cannot be told'
    super(`it is kept by another simulator (${who}); if there is none any more, delete ${lock}`)
  }
}

interface Owner {
  process: number
  machine: string
  /** Tells two owners apart that have the same process number at different times. */
  token: string
}

export interface FileLock {
  /** Whether nobody has taken the file away since. */
  isHeld(): Promise<boolean>
  release(): Promise<void>
}

/** Takes the file, also from a process of this machine that is no more. Rejects with `FileInUse`, and as `writeFile`. */
export async function lockFile(file: string): Promise<FileLock> {
  const path = `${file}.lock`
  const own: Owner = { process: process.pid, machine: hostname(), token: randomUUID() }
  if (!(await create(path, own))) {
    const owner = await ownerIn(path)
    if (!owner || !isGone(owner)) throw new FileInUse(path, owner)
    await unlink(path).catch(() => undefined)
    if (!(await create(path, own))) throw new FileInUse(path, await ownerIn(path))
  }
  const isHeld = async (): Promise<boolean> => (await ownerIn(path))?.token === own.token
  return {
    isHeld,
    release: async () => {
      if (await isHeld()) await unlink(path)
    },
  }
}

/** False where the lock is there already. */
async function create(path: string, owner: Owner): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(owner), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

async function ownerIn(path: string): Promise<Owner | undefined> {
  try {
    const found: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isOwner(found) ? found : undefined
  } catch {
    return undefined // it has gone, or somebody is about to write it
  }
}

const isOwner = (found: unknown): found is Owner =>
  found instanceof Object &&
  'process' in found &&
  'machine' in found &&
  'token' in found &&
  Number.isInteger(found.process) &&
  typeof found.machine === 'string' &&
  typeof found.token === 'string'

/** Whether the owner was a process of this machine that has ended; of other machines nobody can tell. */
function isGone({ process: id, machine }: Owner): boolean {
  if (machine !== hostname()) return false
  try {
    process.kill(id, 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}
