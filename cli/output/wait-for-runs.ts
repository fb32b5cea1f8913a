/** `--alone-after`: delays rows that must run alone until the other shards end. */
import { join } from 'node:path'
import { InputError } from '../../lib/files/input-error.js'
import { inputEnds } from '../../lib/files/read-input.js'
import type { EarlyEnd } from '../../runner/transport/early-end.js'
import { UsageError } from '../console/usage-error.js'
import { folderOfRun, recordName } from './results-folder.js'

/** Milliseconds between two checks. */
const pause = 500
/** Bytes: no header or footer line of a record is longer. */
const longestLine = 4 * 1024 * 1024

/**
 * Waits until each folder has a complete record with this seed, or until this run ends. The seed distinguishes this run from earlier
 * runs in the same folder. Throws `UsageError` without a seed.
 */
export function waitFor(folders: readonly string[], seed: string | undefined): (end: EarlyEnd) => Promise<void> {
  if (seed === undefined) throw new UsageError('alone-after: add the same --seed to all shards; it identifies the run')
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
    // The run has not started.
    if (error instanceof InputError) return false
    throw error
  }
}

/** An incomplete line gives an empty object. */
function parsed(line: string | undefined): { type?: unknown; seed?: unknown } {
  try {
    return Object(JSON.parse(line ?? ''))
  } catch {
    return {}
  }
}
