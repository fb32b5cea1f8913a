/** The results folder: each run has its own folder in it, and `latest` points to the newest. */
import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readlink, rm, rmdir, stat, statfs } from 'node:fs/promises'
import { basename, join, normalize } from 'node:path'
import { isFolder, makeFolder } from '../../lib/files/folder.js'
import { OutputError } from '../../lib/files/output-error.js'
import { readInputText } from '../../lib/files/read-input.js'
import { moveAside, replaceLink } from '../../lib/files/replace-file.js'
import { writeOutput } from '../../lib/files/write-output.js'
import { UsageError } from '../console/usage-error.js'
import { type FolderLock, lockFolder } from './folder-lock.js'

/** Free bytes that a run needs at most. */
const neededSpace = 128 * 1024 * 1024
const latestName = 'latest'

export interface ResultsFolder {
  /** The results folder. */
  path: string
  /** The folder of this run. */
  run: string
  /** Removes the folder of the run if it is empty, and restores `latest`. */
  discard(): Promise<void>
  release(): Promise<void>
}

/**
 * Creates the folder of a run, and checks before the first request that files can be written. Rejects with `UsageError`, also while
 * another run uses the results folder.
 */
export async function openResults(given: string): Promise<ResultsFolder> {
  // `missing/../results` is valid.
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
      if (!(await removeEmpty(run))) return
      await (before === undefined ? rm(join(out, latestName), { force: true }) : pointTo(out, before))
    }
    return { path: out, run, discard, release: lock.release }
  } catch (cause) {
    await lock?.release()
    throw cause instanceof UsageError ? cause : unwritable(out, cause)
  }
}

/** Sorts by time; the random end distinguishes runs of one second. */
const folderName = (at: Date): string =>
  `${at.toISOString().slice(0, 19).replaceAll(':', '-').replace('T', '_')}_${randomBytes(2).toString('hex')}`

/** Also writes a file, because reported free space can be wrong. */
async function expectSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < neededSpace) {
    throw new Error(
      `${Math.floor((bavail * bsize) / 1024 / 1024)} MiB are free; a run needs ${neededSpace / 1024 / 1024} MiB`,
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
 * Sets `latest`: a link, or a file with the name if the file system has no links. Any other file or folder of that name is renamed, not
 * deleted: a user may have copied the folder of the link.
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

/** Whether `latest` is missing or was written by a run. */
async function isPointer(out: string, path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  if (!found || found.isSymbolicLink()) return true
  const name = found.isFile() ? await nameIn(path) : undefined
  return name !== undefined && name !== '' && basename(name) === name && (await isFolder(join(out, name)))
}

/** The folder name in `latest`. */
async function latestOf(out: string): Promise<string | undefined> {
  const path = join(out, latestName)
  return basename(await readlink(path).catch(async () => (await nameIn(path)) ?? '')) || undefined
}

const removeEmpty = (folder: string): Promise<boolean> =>
  rmdir(folder).then(
    () => true,
    () => false,
  )

/** The folder with a record: `folder` itself, or its newest run. */
export async function folderOfRun(folder: string): Promise<string> {
  const own = await stat(join(folder, recordName)).catch(() => undefined)
  if (own?.isFile()) return folder
  const latest = join(folder, latestName)
  const found = await stat(latest).catch(() => undefined)
  if (found?.isDirectory()) return latest
  if (!found?.isFile()) return folder
  // Only the base name, so that the file cannot point outside the folder.
  return join(folder, basename((await nameIn(latest)) ?? ''))
}

/** The name in a file that replaces a link. */
const nameIn = (path: string): Promise<string | undefined> =>
  readInputText(path, 'a lock or link file').then(
    (text) => text.trim(),
    () => undefined,
  )

export const recordName = 'run.ndjson'

/** The record file of a configuration, counted from 1. */
export const recordNameOf = (configuration: number): string =>
  configuration === 1 ? recordName : `run-${configuration}.ndjson`

function unwritable(out: string, cause: unknown): UsageError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const problem = cause instanceof OutputError ? reason : `${out} cannot be written (${reason})`
  return new UsageError(`out: ${problem}; choose another folder`, { cause })
}
