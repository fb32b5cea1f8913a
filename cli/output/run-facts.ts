/** `summary.json` beside the records of a run. See docs/nightly.md. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { certificateName, fileDigest } from '../../certificate/bundle.js'
import { InputError } from '../../lib/files/file-errors.js'
import { readInputText } from '../../lib/files/read-input.js'
import { replaceEntry } from '../../lib/files/write-output.js'
import type { RunRecord } from '../../record/types/record.js'
import type { RunFacts } from '../../reports/summary/compared-run.js'
import { factsOf } from '../../reports/summary/run-facts.js'
import { readSummary, summaryText } from '../../reports/summary/summary-file.js'
import { partsOf, readRun } from './read-run.js'
import { isFirstRecord } from './record-names.js'

const summaryName = 'summary.json'

/** From the record if its folder has no summary of it. Rejects like `readRun`. */
export async function readFacts(path: string): Promise<RunFacts> {
  return (await storedFacts(await partsOf(path))) ?? factsOf(await readRun(path))
}

/** Rejects with `OutputError`. */
export async function writeSummary(record: RunRecord, recordFile: string): Promise<void> {
  const path = join(dirname(recordFile), summaryName)
  await replaceEntry(path, summaryText(factsOf(record), await digestsOf(await partsOf(recordFile))))
}

/** Undefined in a bundle, whose record is certified, and without a summary of exactly these records. */
async function storedFacts(parts: readonly string[]): Promise<RunFacts | undefined> {
  const [first = ''] = parts
  const folder = dirname(first)
  if (!isFirstRecord(first) || existsSync(join(folder, certificateName))) return undefined
  try {
    const stored = readSummary(await readInputText(join(folder, summaryName), 'a summary'))
    return stored && stored.records.join() === (await digestsOf(parts)).join() ? stored.facts : undefined
  } catch (error) {
    // Reading the record reports an unreadable one.
    if (error instanceof InputError) return undefined
    throw error
  }
}

const digestsOf = (parts: readonly string[]): Promise<string[]> => Promise.all(parts.map(fileDigest))
