/** `--alone-after`: rows that no other may be beside wait until the other parts of their run have ended. */
import { join } from 'node:path'
import { InputError } from '../../lib/files/input-error.js'
import { inputEnds } from '../../lib/files/read-input.js'
import type { EarlyEnd } from '../../runner/transport/early-end.js'
import { UsageError } from '../console/usage-error.js'
import { folderOfRun, recordName } from './results-folder.js'

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
  try {
    const { first, last } = inputEnds(join(await folderOfRun(folder), recordName), 'a run record', longestLine)
    const header = parsed(first.toString('utf8').split('\n')[0])
    const footer = parsed(last.toString('utf8').trimEnd().split('\n').at(-1))
    return header.type === 'header' && header.seed === seed && footer.type === 'footer'
  } catch (error) {
    // The run has not begun.
    if (error instanceof InputError) return false
    throw error
  }
}

/** What is half written says nothing. */
function parsed(line: string | undefined): { type?: unknown; seed?: unknown } {
  try {
    return Object(JSON.parse(line ?? ''))
  } catch {
    return {}
  }
}
