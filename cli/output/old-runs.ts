/** The runs of a results folder and their sizes. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { InputError, systemReason } from '../../lib/files/file-errors.js'
import { sizeBelow } from '../../lib/files/paths.js'
import { print } from '../../lib/print.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { shellWord } from '../../reports/wording/shell.js'
import { count } from '../../reports/wording/words.js'
import { isFirstRecord } from './record-names.js'
import { isRunName } from './results-folder.js'

export interface FoundRun {
  name: string
  path: string
  bytes: number
}

const mib = 1024 * 1024
/** MiB; about 130 runs of the whole suite. */
const defaultLimit = 1024

/** Oldest first. Rejects with `InputError`. */
export async function runsIn(results: string): Promise<FoundRun[]> {
  const entries = await readdir(results, { withFileTypes: true }).catch((error: unknown) => {
    throw new InputError(results, systemReason(error), error)
  })
  // A link is no run: its target may be elsewhere.
  const folders = entries.filter((entry) => entry.isDirectory() && isRunName(entry.name))
  const names = folders.map(({ name }) => name)
  const found: FoundRun[] = []
  for (const name of names.sort()) {
    const path = join(results, name)
    if (await isRun(path)) found.push({ name, path, bytes: await sizeBelow(path) })
  }
  return found
}

/** A run without a record has reports, or nothing yet. */
async function isRun(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => [folder])
  return names.length === 0 || names.some((name) => isFirstRecord(name) || name === 'junit.xml')
}

/** `limit`: MiB. Prints nothing if the folder cannot be read. */
export async function reportSize(results: string, limit = defaultLimit): Promise<void> {
  const runs = await runsIn(results).catch((error: unknown) => {
    if (error instanceof InputError) return []
    throw error
  })
  const bytes = totalOf(runs)
  if (bytes <= limit * mib) return
  const found = `${count(runs.length, 'run')} in ${results}: ${inMib(bytes)}, more than ${limit} MiB (results-limit).`
  print(`\n${visibleLine(`${found} To remove old runs: conform prune ${shellWord(results)} --keep 30`)}`)
}

export const totalOf = (runs: readonly FoundRun[]): number => runs.reduce((sum, { bytes }) => sum + bytes, 0)

export const inMib = (bytes: number): string => `${(bytes / mib).toFixed(1)} MiB`
