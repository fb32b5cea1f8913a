/**
 * What a run is about to change, on disk before it is sent: whoever kills the run cannot make it forget. One journal lies beside
 * the record of each run, and is removed once everything is as it was.
 */
import { type FileHandle, mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { VettingState } from './vetting-state.js'

const journalName = 'changes.ndjson'

/** The first line of a journal: of whom it speaks, and how it was found. */
interface JournalHeader {
  run: string
  url: string
  participantId: string
  at: string
  /** Ids of the packages that were looked for, vetted or not. */
  watched: string[]
  vetting: VettingState
}

type JournalLine = ({ type: 'found' } & JournalHeader) | { type: 'changing' | 'restored'; row: string; at: string }

/** A journal that cannot be written: then nothing may be changed. */
export class JournalError extends Error {
  override readonly name = 'JournalError'
}

export class ChangeJournal {
  readonly #path: string
  readonly #file: FileHandle

  private constructor(path: string, file: FileHandle) {
    this.#path = path
    this.#file = file
  }

  /** Throws `JournalError`. */
  static async create(folder: string, header: JournalHeader): Promise<ChangeJournal> {
    const path = join(folder, journalName)
    const made = mkdir(folder, { recursive: true }).then(() => open(path, 'w'))
    const file = await made.catch((cause: unknown) => {
      throw new JournalError(`${path} cannot be written (${String(cause)}): nothing is changed without it`, { cause })
    })
    const journal = new ChangeJournal(path, file)
    await journal.#append({ type: 'found', ...header }).catch(async (error: unknown) => {
      await file.close()
      throw error
    })
    return journal
  }

  /** To be awaited before anything of the row is sent. Throws `JournalError`. */
  async changing(row: string): Promise<void> {
    await this.#append({ type: 'changing', row, at: new Date().toISOString() })
  }

  /** Throws `JournalError`. */
  async restored(row: string): Promise<void> {
    await this.#append({ type: 'restored', row, at: new Date().toISOString() })
  }

  /** `settled`: everything is as it was, so that there is nothing left to be found. A journal that somebody has removed is gone as well. */
  async close(settled: boolean): Promise<void> {
    await this.#file.close()
    // One that stays makes the next run look once more.
    if (settled) await rm(this.#path, { force: true }).catch(() => undefined)
  }

  async #append(line: JournalLine): Promise<void> {
    try {
      await this.#file.appendFile(`${JSON.stringify(line)}\n`)
      await this.#file.sync()
    } catch (cause) {
      throw new JournalError(`${this.#path} takes no line (${String(cause)}): nothing is changed without it`, { cause })
    }
  }
}

/** A journal that an earlier run left because it was ended. */
export interface LeftJournal extends JournalHeader {
  path: string
  /** Rows that had begun to change something, and are not known to have put it back. */
  rows: string[]
}

/** The journals in the folders of runs, the oldest first. Lines that cannot be read are passed over: the first one counts. */
export async function leftJournals(results: string): Promise<LeftJournal[]> {
  const folders = await readdir(results, { withFileTypes: true }).catch(() => [])
  const found: LeftJournal[] = []
  for (const entry of folders.filter((one) => one.isDirectory())) {
    const path = join(results, entry.name, journalName)
    const text = await readFile(path, 'utf8').catch(() => undefined)
    const journal = text === undefined ? undefined : readJournal(path, text)
    if (journal) found.push(journal)
  }
  return found.toSorted((a, b) => (a.at < b.at ? -1 : 1))
}

/** Undefined where the run was ended before it had written a whole first line: then it had changed nothing. */
function readJournal(path: string, text: string): LeftJournal | undefined {
  const lines = text.split('\n').flatMap((line) => parse(line) ?? [])
  const [first] = lines
  if (first?.type !== 'found' || !isWhole(first)) return undefined
  const rows = new Set<string>()
  for (const line of lines) {
    if (line.type === 'changing') rows.add(line.row)
    if (line.type === 'restored') rows.delete(line.row)
  }
  const { type: _, ...header } = first
  return { ...header, path, rows: [...rows] }
}

/** A run must not stumble over a file that somebody has changed by hand. */
function isWhole({ run, participantId, at, watched, vetting }: Partial<JournalHeader>): boolean {
  const texts: unknown[] = [run, participantId, at]
  const packages: unknown[] = Object.values(vetting ?? { none: undefined }).flat()
  return (
    texts.every((text) => typeof text === 'string') &&
    Array.isArray(watched) &&
    packages.every((one) => typeof one === 'object' && one !== null)
  )
}

function parse(line: string): JournalLine | undefined {
  try {
    return JSON.parse(line) as JournalLine // our own file; a line that was cut off is no JSON
  } catch {
    return undefined
  }
}

/** Once everything is as the journal found it. */
export const removeJournal = ({ path }: Pick<LeftJournal, 'path'>): Promise<void> => rm(path, { force: true })
