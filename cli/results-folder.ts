/** Where a run leaves what it has: a folder of its own below that of all results, and `latest` beside it, which leads to the newest. */
import { randomBytes } from 'node:crypto'
import { lstat, mkdir, open, readFile, readlink, rename, rm, rmdir, stat, statfs, symlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type FolderLock, lockFolder } from './folder-lock.js'
import { UsageError } from './usage-error.js'
import { writeWhole } from './write-whole.js'

/** Bytes that must be free: a record and its reports take less. */
const neededSpace = 128 * 1024 * 1024
const latestName = 'latest'

export interface ResultsFolder {
  /** Of all runs. */
  path: string
  /** Of this run. */
  run: string
  /** Forgets the run: nothing came of it, and `latest` leads where it led before. */
  discard(): Promise<void>
  release(): Promise<void>
}

/**
 * Makes the folder of a run, before anything is sent: whatever would keep its record from being written shows now. Throws
 * `UsageError` for a path that is no folder or takes no files, for a full disk, and where another run is under way.
 */
export async function openResults(out: string): Promise<ResultsFolder> {
  let lock: FolderLock | undefined
  try {
    await makeFolder(resolve(out))
    lock = await lockFolder(out)
    await expectSpace(out)
    const run = join(out, folderName(new Date()))
    const before = await latestOf(out)
    await mkdir(run)
    await pointTo(out, basename(run))
    const discard = async (): Promise<void> => {
      // What the run has left is not thrown away.
      if (!(await removeEmpty(run))) return
      await (before === undefined ? rm(join(out, latestName), { force: true }) : pointTo(out, before))
    }
    return { path: out, run, discard, release: lock.release }
  } catch (cause) {
    await lock?.release()
    throw cause instanceof UsageError ? cause : noPlace(out, cause)
  }
}

/** Sorts by time; the end keeps two of one second apart. */
const folderName = (at: Date): string =>
  `${at.toISOString().slice(0, 19).replaceAll(':', '-').replace('T', '_')}_${randomBytes(2).toString('hex')}`

/** One after the other: of a whole path Node tries for ever below /proc. */
export async function makeFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return
  if (found) throw new Error(`${path} is a file`)
  if (dirname(path) !== path) await makeFolder(dirname(path))
  await mkdir(path).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
}

/** What a file system says of its space need not be so, so that some is taken as well. */
async function expectSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < neededSpace) {
    throw new Error(
      `${Math.floor((bavail * bsize) / 1024 / 1024)} MiB are free, and a run may take ${neededSpace / 1024 / 1024}`,
    )
  }
  const trial = join(folder, '.space')
  try {
    const file = await open(trial, 'w')
    try {
      await file.writeFile(Buffer.alloc(1024 * 1024))
    } finally {
      await file.close()
    }
  } finally {
    await rm(trial, { force: true })
  }
}

/**
 * A link where the file system has them, and a small file with the name in it otherwise. Both replace the older one as a whole;
 * a folder of that name, as a copy has it that took the link for what it leads to, keeps what it holds under another name.
 */
async function pointTo(out: string, name: string): Promise<void> {
  const path = join(out, latestName)
  const temporary = join(out, `.${latestName}.${name}`)
  const found = await lstat(path).catch(() => undefined)
  if (found?.isDirectory()) await rename(path, join(out, `${latestName}-before-${name}`))
  try {
    await symlink(name, temporary, 'dir')
    await rename(temporary, path)
  } catch {
    await rm(temporary, { force: true })
    await rm(path, { force: true })
    await writeWhole(path, `${name}\n`)
  }
}

/** The name of the folder that `latest` leads to. */
async function latestOf(out: string): Promise<string | undefined> {
  const path = join(out, latestName)
  return (
    basename(await readlink(path).catch(async () => (await readFile(path, 'utf8').catch(() => '')).trim())) || undefined
  )
}

const removeEmpty = (folder: string): Promise<boolean> =>
  rmdir(folder).then(
    () => true,
    () => false,
  )

/** The folder that holds the record of a run: `folder` itself, or the newest of the runs below it. */
export async function folderOfRun(folder: string): Promise<string> {
  const own = await stat(join(folder, recordName)).catch(() => undefined)
  if (own?.isFile()) return folder
  const latest = join(folder, latestName)
  const found = await stat(latest).catch(() => undefined)
  if (found?.isDirectory()) return latest
  if (!found?.isFile()) return folder
  // Only a name: what stands in a file leads nowhere else.
  return join(folder, basename((await readFile(latest, 'utf8')).trim()))
}

export const recordName = 'run.ndjson'

function noPlace(out: string, cause: unknown): UsageError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new UsageError(`out: nothing can be written to ${out} (${why}); name another folder`, { cause })
}
