/** `--alone-after`: rows that no other may be beside wait until the other parts of their run have ended. */
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { EarlyEnd } from '../runner/execute/early-end.js'
import { folderOfRun, recordName } from './results-folder.js'
import { UsageError } from './usage-error.js'

/** Milliseconds between two looks. */
const pause = 500
/** The header and the footer of a record are lines of their own; neither is longer. */
const longestLine = 4 * 1024 * 1024

/**
 * Waits until each of the folders holds a record of a run with that seed that has its footer, or until this run is to end. The
 * seed tells tonight's run from yesterday's in the same folder. Throws `UsageError` without one.
 */
export function waitFor(folders: readonly string[], seed: string | undefined): (end: EarlyEnd) => Promise<void> {
  if (seed === undefined)
    throw new UsageError('alone-after: the parts of a run know each other by their seed: say the same --seed for all')
  return async (end) => {
    for (const folder of folders) {
      while (!end.decided && !(await hasEnded(folder, seed))) await end.pause(pause)
    }
  }
}

async function hasEnded(folder: string, seed: string): Promise<boolean> {
  const file = await open(join(await folderOfRun(folder), recordName), 'r').catch(() => undefined)
  if (!file) return false
  try {
    const { size } = await file.stat()
    const header = parsed((await textFrom(file, 0, size)).split('\n')[0])
    const footer = parsed((await textFrom(file, Math.max(0, size - longestLine), size)).trimEnd().split('\n').at(-1))
    return header.type === 'header' && header.seed === seed && footer.type === 'footer'
  } finally {
    await file.close()
  }
}

async function textFrom(file: FileHandle, from: number, size: number): Promise<string> {
  const length = Math.min(longestLine, size - from)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
  return buffer.subarray(0, bytesRead).toString('utf8')
}

/** What is half written says nothing. */
function parsed(line: string | undefined): { type?: unknown; seed?: unknown } {
  try {
    return Object(JSON.parse(line ?? ''))
  } catch {
    return {}
  }
}
