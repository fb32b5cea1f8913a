/** Facts of runs, stored beside their records. See docs/nightly.md. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { certificateName, digestOf } from '../../certificate/bundle.js'
import { InputError, OutputError } from '../../lib/files/file-errors.js'
import { readInputText } from '../../lib/files/read-input.js'
import { replaceEntry } from '../../lib/files/write-output.js'
import { once } from '../../lib/made-once.js'
import type { RunRecord } from '../../record/types/record.js'
import { factsOf, type RunFacts } from '../../reports/history/run-facts.js'
import { type FactsSource, readFacts, writeFacts } from '../../reports/history/stored-facts.js'
import { bundleDigest } from '../tool/tool-digest.js'
import { partsOf, readRunWithoutTexts } from './read-run.js'
import { isFirstRecord } from './record-names.js'

const factsName = 'history.json'
const ownDigest = once(bundleDigest)

/** From the stored facts if they are those of the record, otherwise from the record, and stores them. Rejects like `readRun`. */
export async function historyFacts(recordFile: string): Promise<RunFacts> {
  const source = await sourceOf(recordFile)
  const stored = source && readFacts(await textOf(factsFile(recordFile)), source)
  if (stored) return stored
  const facts = factsOf(await readRunWithoutTexts(recordFile))
  // A run in progress changes its record.
  if (source && isSame(source, await sourceOf(recordFile))) await store(facts, source, recordFile)
  return facts
}

/** `history` then need not parse and judge the record. */
export async function storeFacts(record: RunRecord, recordFile: string): Promise<void> {
  const source = await sourceOf(recordFile)
  if (source) await store(factsOf(record), source, recordFile)
}

const factsFile = (recordFile: string): string => join(dirname(recordFile), factsName)

/** Undefined if no facts may be stored: for a record outside the folder of a run, and in a bundle, whose files are certified. */
async function sourceOf(recordFile: string): Promise<FactsSource | undefined> {
  if (!isFirstRecord(recordFile) || existsSync(join(dirname(recordFile), certificateName))) return undefined
  const digests: string[] = []
  try {
    for (const part of await partsOf(recordFile)) digests.push(await digestOf(part))
  } catch (error) {
    // Reading the record reports it.
    if (error instanceof InputError) return undefined
    throw error
  }
  return { tool: ownDigest(), records: digests }
}

const isSame = ({ records }: FactsSource, now: FactsSource | undefined): boolean =>
  records.join() === now?.records.join()

/** Empty for a missing or unreadable file. */
async function textOf(file: string): Promise<string> {
  try {
    return await readInputText(file, 'stored facts of a run')
  } catch (error) {
    if (error instanceof InputError) return ''
    throw error
  }
}

/** A read-only folder only costs time. */
async function store(facts: RunFacts, source: FactsSource, recordFile: string): Promise<void> {
  try {
    await replaceEntry(factsFile(recordFile), writeFacts(facts, source))
  } catch (error) {
    if (!(error instanceof OutputError)) throw error
  }
}
