/** Where a run leaves what it has: a folder of its own below that of all results, and `latest` beside it, which leads to the newest. */
import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readlink, rm, rmdir, stat, statfs } from 'node:fs/promises'
import { basename, join, normalize } from 'node:path'
import { isFolder, makeFolder } from '../../lib/files/folder.js'
import { readInputText } from '../../lib/files/read-input.js'
import { moveAside, replaceLink } from '../../lib/files/replace-file.js'
import { writeOutput } from '../../lib/files/write-output.js'
import { UsageError } from '../console/usage-error.js'
import { type FolderLock, lockFolder } from './folder-lock.js'

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
export async function openResults(given: string): Promise<ResultsFolder> {
  // A folder that is only passed through, as in no/../results, need not exist.
  const out = normalize(given)
  let lock: FolderLock | undefined
  try {
    await makeFolder(out)
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
    await writeOutput(trial, ' '.repeat(1024 * 1024))
  } finally {
    await rm(trial, { force: true })
  }
}

/**
 * A link where the file system has them, and a small file with the name in it otherwise. Both replace the older one as a whole;
 * everything else of that name is kept under another name: a copy of the folder that the link led to, or a file of the user.
 */
async function pointTo(out: string, name: string): Promise<void> {
  const path = join(out, latestName)
  if (!(await isPointer(out, path))) await moveAside(path, join(out, `${latestName}-before-${name}`))
  try {
    await replaceLink(path, name)
  } catch {
    await rm(path, { force: true })
    await writeOutput(path, `${name}\n`)
  }
}

/** Whether it is missing, or one that a run has left. */
async function isPointer(out: string, path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  if (!found || found.isSymbolicLink()) return true
  const name = found.isFile() ? await nameIn(path) : undefined
  return name !== undefined && name !== '' && basename(name) === name && (await isFolder(join(out, name)))
}

/** The name of the folder that `latest` leads to. */
async function latestOf(out: string): Promise<string | undefined> {
  const path = join(out, latestName)
  return basename(await readlink(path).catch(async () => (await nameIn(path)) ?? '')) || undefined
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
  return join(folder, basename((await nameIn(latest)) ?? ''))
}

/** The name in the file that stands for a link where there are none. */
const nameIn = (path: string): Promise<string | undefined> =>
  readInputText(path, 'a lock or link file').then(
    (text) => text.trim(),
    () => undefined,
  )

export const recordName = 'run.ndjson'

/** The file of a configuration, from 1, in the folder of its run. */
export const recordNameOf = (configuration: number): string =>
  configuration === 1 ? recordName : `run-${configuration}.ndjson`

function noPlace(out: string, cause: unknown): UsageError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new UsageError(`out: nothing can be written to ${out} (${why}); name another folder`, { cause })
}
