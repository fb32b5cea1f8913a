/** Names each change on disk before the run sends it, until everything is restored. Failed writes throw `JournalError`. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { makeFolder } from '../../lib/files/paths.js'
import { readInputText } from '../../lib/files/read-input.js'
import { type OutputFile, openOutput } from '../../lib/files/write-output.js'
import { outgoing } from '../../lib/outgoing.js'
import { hiddenLabel } from '../../lib/redaction/redaction.js'
import { UsageError } from '../../lib/usage-error.js'
import type { GrantedRights } from '../provision/actors.js'
import type { VettingState } from './vetting-state.js'

const journalName = 'changes.ndjson'

interface JournalHeader {
  run: string
  url: string
  participantId?: string
  at: string
}

interface FoundVetting {
  /** Package ids, vetted or not. */
  watched: string[]
  vetting: VettingState
}

type JournalLine =
  | ({ type: 'run' } & JournalHeader)
  | ({ type: 'found' } & FoundVetting)
  | { type: 'changing' | 'restored'; row: string; at: string }
  | ({ type: 'giving' } & GrantedRights)
  | { type: 'kept' }

export class JournalError extends UsageError {
  override readonly name = 'JournalError'
}

/**
 * @example
 * const header = { run: 'r-7', url: 'http://127.0.0.1:7575', at: new Date().toISOString() }
 * const journal = await ChangeJournal.create('results/r-7', header)
 * await journal.recordChange('SAW-PREFERENCE-UNVETTED/alone')
 * await journal.close(false) // changes.ndjson remains for `conform clean`
 */
export class ChangeJournal {
  readonly #path: string
  readonly #file: OutputFile

  private constructor(path: string, file: OutputFile) {
    this.#path = path
    this.#file = file
  }

  static async create(folder: string, header: JournalHeader): Promise<ChangeJournal> {
    const path = join(folder, journalName)
    const made = makeFolder(folder).then(() => openOutput(path))
    const file = await made.catch((cause: unknown) => {
      throw new JournalError(
        `${path} cannot be written (${String(cause)}). The run changes nothing without this journal.`,
        { cause },
      )
    })
    const journal = new ChangeJournal(path, file)
    await journal.#append({ type: 'run', ...header }).catch(async (error: unknown) => {
      await file.close()
      throw error
    })
    return journal
  }

  recordVetting(found: FoundVetting): Promise<void> {
    return this.#append({ type: 'found', ...found })
  }

  recordGrant(given: GrantedRights): Promise<void> {
    return this.#append({ type: 'giving', ...given })
  }

  async recordChange(row: string): Promise<void> {
    await this.#append({ type: 'changing', row, at: new Date().toISOString() })
  }

  async recordRestore(row: string): Promise<void> {
    await this.#append({ type: 'restored', row, at: new Date().toISOString() })
  }

  /** Only `conform clean` withdraws the rights. */
  async keep(): Promise<void> {
    await this.#append({ type: 'kept' })
    await this.#file.close()
  }

  async close(settled: boolean): Promise<void> {
    await this.#file.close()
    // If the removal fails, the next run only checks again.
    if (settled) await rm(this.#path, { force: true }).catch(() => undefined)
  }

  async #append(line: JournalLine): Promise<void> {
    const text = outgoing(`${JSON.stringify(line)}\n`)
    // `clean` restores what the journal names, so a hidden name would be lost: a header had the id of the participant.
    if (!isDeepStrictEqual(parse(text), JSON.parse(JSON.stringify(line)))) {
      const secret = hiddenLabel(text) ?? 'a setting'
      throw new JournalError(
        `${this.#path} must name a user, an identifier or a URL that is also the secret value of ${secret}. ` +
          'The run changes nothing without this journal. Use another value.',
      )
    }
    try {
      await this.#file.append(text)
      await this.#file.sync()
    } catch (cause) {
      throw new JournalError(
        `${this.#path} cannot be written (${String(cause)}). The run changes nothing without this journal.`,
        { cause },
      )
    }
  }
}

export interface LeftJournal extends JournalHeader, FoundVetting {
  path: string
  given: GrantedRights[]
  /** Rows without a recorded restore. */
  rows: string[]
  /** A run with --keep-users completed. */
  isKept: boolean
}

/** Oldest first. */
export async function leftJournals(results: string): Promise<LeftJournal[]> {
  const folders = await readdir(results, { withFileTypes: true }).catch(() => [])
  const found: LeftJournal[] = []
  for (const entry of folders.filter((one) => one.isDirectory())) {
    const journal = await journalIn(join(results, entry.name))
    if (journal) found.push(journal)
  }
  return found.toSorted((a, b) => (a.at < b.at ? -1 : 1))
}

export async function journalIn(folder: string): Promise<LeftJournal | undefined> {
  const path = join(folder, journalName)
  const text = await readInputText(path, 'a journal of changes').catch(() => undefined)
  return text === undefined ? undefined : readJournal(path, text)
}

const nothingFound: FoundVetting = { watched: [], vetting: {} }

/** Undefined without a complete first line. */
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
  const isKept = lines.some(({ type }) => type === 'kept')
  return { ...header, watched, vetting, given, path, rows: [...rows], isKept }
}

/** The file may have been edited by hand. */
function isWhole({ run, url, at, participantId = '' }: Partial<JournalHeader>, found: Partial<FoundVetting>): boolean {
  const strings: unknown[] = [run, url, at, participantId]
  const packages: unknown[] = Object.values(found.vetting ?? { none: undefined }).flat()
  return (
    strings.every((one) => typeof one === 'string') &&
    Array.isArray(found.watched) &&
    packages.every((one) => typeof one === 'object' && one !== null)
  )
}

function parse(line: string): JournalLine | undefined {
  try {
    return JSON.parse(line) as JournalLine // our own file; a truncated line is no JSON
  } catch {
    return undefined
  }
}

export const removeJournal = ({ path }: LeftJournal): Promise<void> => rm(path, { force: true })
