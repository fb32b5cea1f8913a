/** Each run has its own folder, and `latest` points to the newest. */
import { randomBytes } from 'node:crypto'
import { lstat, mkdir, readlink, rm, rmdir, stat, statfs } from 'node:fs/promises'
import { basename, join, normalize } from 'node:path'
import { OutputError } from '../../lib/files/file-errors.js'
import { FileInUse, lockFile } from '../../lib/files/lock-file.js'
import { isFolder, makeFolder } from '../../lib/files/paths.js'
import { readInputText } from '../../lib/files/read-input.js'
import { moveAside, replaceLink, writeOutput } from '../../lib/files/write-output.js'
import { printError } from '../../lib/print.js'
import { UsageError } from '../../lib/usage-error.js'
import { recordFileIn } from './record-names.js'

/** Free bytes that a run needs at most. */
const neededSpace = 128 * 1024 * 1024
const latestName = 'latest'

/** The settings file names paths of the machine, so it is beside the folder of the run, which other people receive. */
export const settingsFileOf = (run: string): string => `${run}.settings.yaml`

export interface ResultsFolder {
  path: string
  run: string
  /** Removes an empty folder of the run and its settings file, and restores `latest`. */
  discard(): Promise<void>
  release(): Promise<void>
}

/**
 * Checks before the first request that files can be written. Rejects with `UsageError`, also while another run uses
 * the folder.
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
      await rm(settingsFileOf(run), { force: true })
      await (before === undefined ? rm(join(out, latestName), { force: true }) : pointTo(out, before))
    }
    return { path: out, run, discard, release: lock.release }
  } catch (cause) {
    await lock?.release()
    throw cause instanceof UsageError && !(cause instanceof OutputError) ? cause : unwritable(out, cause)
  }
}

/** Sorts by time; the random end distinguishes runs of one second. */
const folderName = (at: Date): string =>
  `${at.toISOString().slice(0, 19).replaceAll(':', '-').replace('T', '_')}_${randomBytes(2).toString('hex')}`

/** Also writes a file: reported free space can be wrong. */
async function expectSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < neededSpace) {
    throw new Error(
      `${Math.floor((bavail * bsize) / 1024 / 1024)} MiB are free; a run needs ${neededSpace / 1024 / 1024} MiB`,
    )
  }
  // A fixed name may be a link to a file of the user, or a file of the user.
  const trial = join(folder, `.space-${randomBytes(4).toString('hex')}`)
  try {
    await writeOutput(trial, ' '.repeat(1024 * 1024))
  } finally {
    await rm(trial, { force: true })
  }
}

/**
 * Sets `latest`: a link, or a file with the name if the file system has no links. Renames any other file or folder
 * named `latest`: a user may have copied the folder of the link.
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

async function isPointer(out: string, path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  if (!found || found.isSymbolicLink()) return true
  const name = found.isFile() ? await nameIn(path) : undefined
  return name !== undefined && name !== '' && basename(name) === name && (await isFolder(join(out, name)))
}

async function latestOf(out: string): Promise<string | undefined> {
  const path = join(out, latestName)
  return basename(await readlink(path).catch(async () => (await nameIn(path)) ?? '')) || undefined
}

const removeEmpty = (folder: string): Promise<boolean> =>
  rmdir(folder).then(
    () => true,
    () => false,
  )

export async function folderOfRun(folder: string): Promise<string> {
  if (await recordFileIn(folder)) return folder
  const latest = join(folder, latestName)
  const found = await stat(latest).catch(() => undefined)
  if (found?.isDirectory()) return latest
  if (!found?.isFile()) return folder
  // A base name cannot point outside the folder.
  return join(folder, basename((await nameIn(latest)) ?? ''))
}

const nameIn = (path: string): Promise<string | undefined> =>
  readInputText(path, 'a link file').then(
    (text) => text.trim(),
    () => undefined,
  )

function unwritable(out: string, cause: unknown): UsageError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const problem = cause instanceof OutputError ? reason : `${out} cannot be written (${reason})`
  return new UsageError(`out: ${problem}; choose another folder`, { cause })
}

interface FolderLock {
  release(): Promise<void>
}

/** Rejects with `UsageError` while another run holds the lock. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  try {
    return await lockFile(join(folder, '.run'), () =>
      printError(
        `out: another process uses ${folder}, or was killed; waiting at most 6 s, because the lock of a killed process expires`,
      ),
    )
  } catch (error) {
    if (!(error instanceof FileInUse)) throw error
    throw new UsageError(
      `out: another process uses ${folder}. Wait for its end, or choose another folder (${error.message})`,
    )
  }
}
