/**
 * What a run is about to change, on disk before it is sent: whoever kills the run cannot make it forget. One journal lies beside
 * the record of each run, and is removed once everything is as it was.
 */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../lib/files/folder.js'
import { readInputText } from '../../lib/files/read-input.js'
import { type OutputFile, openOutput } from '../../lib/files/write-output.js'
import { outgoing } from '../../lib/outgoing.js'
import type { GrantedRights } from '../provision/actors.js'
import type { VettingState } from './vetting-state.js'

const journalName = 'changes.ndjson'

/** The first line of a journal: of whom it speaks. */
interface JournalHeader {
  run: string
  url: string
  /** Undefined: nobody tells. */
  participantId?: string
  at: string
}

/** How packages were found before any row changed that. */
interface FoundVetting {
  /** Ids of the packages that were looked for, vetted or not. */
  watched: string[]
  vetting: VettingState
}

type JournalLine =
  | ({ type: 'run' } & JournalHeader)
  | ({ type: 'found' } & FoundVetting)
  | { type: 'changing' | 'restored'; row: string; at: string }
  | ({ type: 'giving' } & GrantedRights)

/** A journal that cannot be written: then nothing may be changed. */
export class JournalError extends Error {
  override readonly name = 'JournalError'
}

export class ChangeJournal {
  readonly #path: string
  readonly #file: OutputFile

  private constructor(path: string, file: OutputFile) {
    this.#path = path
    this.#file = file
  }

  /** Throws `JournalError`. */
  static async create(folder: string, header: JournalHeader): Promise<ChangeJournal> {
    const path = join(folder, journalName)
    const made = makeFolder(folder).then(() => openOutput(path))
    const file = await made.catch((cause: unknown) => {
      throw new JournalError(`${path} cannot be written (${String(cause)}): nothing is changed without it`, { cause })
    })
    const journal = new ChangeJournal(path, file)
    await journal.#append({ type: 'run', ...header }).catch(async (error: unknown) => {
      await file.close()
      throw error
    })
    return journal
  }

  /** To be awaited before any row changes what is vetted. Throws `JournalError`. */
  found(found: FoundVetting): Promise<void> {
    return this.#append({ type: 'found', ...found })
  }

  /** To be awaited before a user is made or gets rights. Throws `JournalError`. */
  recordGrant(given: GrantedRights): Promise<void> {
    return this.#append({ type: 'giving', ...given })
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
      await this.#file.append(outgoing(`${JSON.stringify(line)}\n`))
      await this.#file.sync()
    } catch (cause) {
      throw new JournalError(`${this.#path} takes no line (${String(cause)}): nothing is changed without it`, { cause })
    }
  }
}

/** A journal that an earlier run left because it was ended. */
export interface LeftJournal extends JournalHeader, FoundVetting {
  path: string
  /** What users were made, and what others were given. */
  given: GrantedRights[]
  /** Rows that had begun to change something, and are not known to have put it back. */
  rows: string[]
}

/** The journals in the folders of runs below this one, the oldest first. Lines that cannot be read are passed over: the first one counts. */
export async function leftJournals(results: string): Promise<LeftJournal[]> {
  const folders = await readdir(results, { withFileTypes: true }).catch(() => [])
  const found: LeftJournal[] = []
  for (const entry of folders.filter((one) => one.isDirectory())) {
    const journal = await journalIn(join(results, entry.name))
    if (journal) found.push(journal)
  }
  return found.toSorted((a, b) => (a.at < b.at ? -1 : 1))
}

/** The journal in the folder of one run; undefined where that has left nothing. */
export async function journalIn(folder: string): Promise<LeftJournal | undefined> {
  const path = join(folder, journalName)
  const text = await readInputText(path, 'a journal of changes').catch(() => undefined)
  return text === undefined ? undefined : readJournal(path, text)
}

const nothingFound: FoundVetting = { watched: [], vetting: {} }

/** Undefined where the run was ended before it had written a whole first line: then it had changed nothing. */
function readJournal(path: string, text: string): LeftJournal | undefined {
  const lines = text.split('\n').flatMap((line) => parse(line) ?? [])
  const [first] = lines
  if (first?.type !== 'run') return undefined
  const { watched, vetting } = lines.find((line) => line.type === 'found') ?? nothingFound
  if (!isWhole(first, { watched, vetting })) return undefined
  const rows = new Set<string>()
  for (const line of lines) {
    if (line.type === 'changing') rows.add(line.row)
    if (line.type === 'restored') rows.delete(line.row)
  }
  const { type: _, ...header } = first
  const given = lines.filter((line) => line.type === 'giving').map(({ type: _, ...one }) => one)
  return { ...header, watched, vetting, given, path, rows: [...rows] }
}

/** A run must not stumble over a file that somebody has changed by hand. */
function isWhole({ run, url, at, participantId = '' }: Partial<JournalHeader>, found: Partial<FoundVetting>): boolean {
  const texts: unknown[] = [run, url, at, participantId]
  const packages: unknown[] = Object.values(found.vetting ?? { none: undefined }).flat()
  return (
    texts.every((text) => typeof text === 'string') &&
    Array.isArray(found.watched) &&
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
