/**
 * What a run is about to change, on disk before it is sent: whoever kills the run cannot make it forget. One journal lies beside
 * the record of each run, and is removed once everything is as it was.
 */
import { type FileHandle, mkdir, open, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { GivenRights } from '../provision/actors.js'
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
  | ({ type: 'giving' } & GivenRights)

/** A journal that cannot be written: then nothing may be changed. */
export class JournalError extends Error {
  override readonly name = 'JournalError'
}

export class ChangeJournal {
  readonly #path: string
  readonly #file: FileHandle
  readonly #open = new Set<string>()

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
    await journal.#append({ type: 'run', ...header })
    return journal
  }

  /** To be awaited before any row changes what is vetted. Throws `JournalError`. */
  found(found: FoundVetting): Promise<void> {
    return this.#append({ type: 'found', ...found })
  }

  /** To be awaited before a user is made or gets rights. Throws `JournalError`. */
  giving(given: GivenRights): Promise<void> {
    return this.#append({ type: 'giving', ...given })
  }

  /** Rows whose changes were not put back, as far as is known. */
  get unrestored(): readonly string[] {
    return [...this.#open]
  }

  /** To be awaited before anything of the row is sent. Throws `JournalError`. */
  async changing(row: string): Promise<void> {
    await this.#append({ type: 'changing', row, at: new Date().toISOString() })
    this.#open.add(row)
  }

  async restored(row: string): Promise<void> {
    this.#open.delete(row)
    await this.#append({ type: 'restored', row, at: new Date().toISOString() })
  }

  /** `settled`: everything is as it was, so that there is nothing left to be found. */
  async close(settled: boolean): Promise<void> {
    await this.#file.close()
    if (settled) await unlink(this.#path)
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
export interface LeftJournal extends JournalHeader, FoundVetting {
  path: string
  /** What users were made, and what others were given. */
  given: GivenRights[]
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
  const text = await readFile(path, 'utf8').catch(() => undefined)
  return text === undefined ? undefined : readJournal(path, text)
}

const nothingFound: FoundVetting = { watched: [], vetting: {} }

/** Undefined where the run was ended before it had written a whole first line: then it had changed nothing. */
function readJournal(path: string, text: string): LeftJournal | undefined {
  const lines = text.split('\n').flatMap((line) => parse(line) ?? [])
  const [first] = lines
  if (first?.type !== 'run') return undefined
  const rows = new Set<string>()
  for (const line of lines) {
    if (line.type === 'changing') rows.add(line.row)
    if (line.type === 'restored') rows.delete(line.row)
  }
  const { type: _, ...header } = first
  const { watched, vetting } = lines.find((line) => line.type === 'found') ?? nothingFound
  const given = lines.filter((line) => line.type === 'giving').map(({ type: _, ...one }) => one)
  return { ...header, watched, vetting, given, path, rows: [...rows] }
}

function parse(line: string): JournalLine | undefined {
  try {
    return JSON.parse(line) as JournalLine // our own file; a line that was cut off is no JSON
  } catch {
    return undefined
  }
}

/** Once everything is as the journal found it. */
export const removeJournal = ({ path }: Pick<LeftJournal, 'path'>): Promise<void> => unlink(path)
