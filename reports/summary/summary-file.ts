/** `summary.json`, which a run writes beside its record. */
import { parsed } from '../../lib/json/parsed.js'
import type { ComparedRow, RunFacts } from './compared-run.js'

/** A row that passed has only its id and milliseconds, unless it was repeated. */
type StoredRow = readonly [id: string, milliseconds: number] | ComparedRow

interface SummaryFile extends Omit<RunFacts, 'rows'> {
  type: 'summary'
  format: 2
  /** SHA-256 (hex) of each record file, one for each configuration. */
  records: readonly string[]
  rows: readonly StoredRow[]
}

export function summaryText(facts: RunFacts, records: readonly string[]): string {
  const { rows, ...others } = facts
  const file: SummaryFile = { type: 'summary', format: 2, records, ...others, rows: rows.map(storedRow) }
  return `${JSON.stringify(file)}\n`
}

const storedRow = (row: ComparedRow): StoredRow =>
  row.verdict === 'pass' && !row.repeated && !row.waiver ? [row.id, row.milliseconds] : row

/** Sixty nights have more than a hundred thousand passed rows. */
const noJudgements: ComparedRow['judgements'] = []

const wholeRow = (row: StoredRow): ComparedRow =>
  'id' in row
    ? row
    : { id: row[0], verdict: 'pass', milliseconds: row[1], judgements: noJudgements, faults: '', sent: true }

export interface StoredFacts {
  facts: RunFacts
  records: readonly string[]
}

/** Undefined for other text, and for another format. Digests do not prove who wrote it (docs/decisions/0118). */
export function readSummary(text: string): StoredFacts | undefined {
  const { type, format, records, rows, ...facts }: Partial<SummaryFile> = Object(parsed(text))
  if (type !== 'summary' || format !== 2 || !records || !rows) return undefined
  return { facts: { ...(facts as Omit<RunFacts, 'rows'>), rows: rows.map(wholeRow) }, records } // of this format
}
