/** Parses the lines of a run record. */
import { danglingReference } from '../judgements/references.js'
import type { PlanLine, RowLine, RunFooter, RunHeader, RunRecord, RunRow } from '../types/record.js'
import { linkText, splitLink } from './chain.js'
import { findDefects } from './find-defects.js'
import { RecordError } from './record-error.js'
import type { TextLine } from './text-lines.js'

/** Largest number of unusable lines with a message. */
const namedLines = 10

/** A schema that ajv compiled; `errors` is about the last invalid value. */
export interface LineCheck<T> {
  (value: unknown): value is T
  errors?: readonly { instancePath: string; message?: string }[] | null
}

export interface ParseTools {
  isHeader: LineCheck<RunHeader>
  isPlan: LineCheck<PlanLine>
  isRow: LineCheck<RowLine>
  isFooter: LineCheck<RunFooter>
  /** Returns hexadecimal. */
  sha256(text: string): string | Promise<string>
}

interface Read {
  plan: Map<string, PlanLine>
  rows: RunRow[]
  footer?: { value: RunFooter; digest: string }
  /** One sentence for each unusable line. */
  broken: string[]
  /** Of the previous line; undefined without a chain, `lost` after an unreadable line. */
  link?: string
}

/**
 * Keeps all usable rows, and reports everything else in `defects`. `path`: for messages. Rejects with `RecordError`: `no-header`,
 * `unknown-format`.
 */
export async function parseRecord(
  path: string,
  lines: Iterable<TextLine> | AsyncIterable<TextLine>,
  tools: ParseTools,
): Promise<RunRecord> {
  let header: RunHeader | undefined
  const read: Read = { plan: new Map(), rows: [], broken: [] }
  for await (const line of lines) {
    const split = splitLink(line.text ?? '')
    if (!header) {
      header = readHeader(path, split.line, tools)
      if (split.link !== undefined) read.link = ''
    }
    const isNext = await follows(read, split, line, tools)
    const whole = line.text === undefined ? line : { ...line, text: split.line }
    const problem = line.number === 1 ? undefined : await readLine(read, whole, tools)
    const gap = `Line ${line.number} breaks the chain: a line was removed, inserted or altered there.`
    if (problem !== undefined || !isNext) read.broken.push(problem ?? gap)
  }
  header ??= readHeader(path, '', tools)
  const { plan, rows, footer, broken } = read
  const whole = findDefects(header, { plan: plan.size, rows, footer: footer?.value, digest: footer?.digest })
  return {
    header,
    plan: [...plan.values()],
    rows,
    ...(footer && { footer: footer.value }),
    defects: [...firstOf(broken), ...whole],
  }
}

/** Whether the link continues the chain. After a gap, the chain starts again. Incomplete last lines have their own message. */
async function follows(
  read: Read,
  { line, link }: ReturnType<typeof splitLink>,
  { text, ended }: TextLine,
  { sha256 }: ParseTools,
): Promise<boolean> {
  if (read.link === undefined || (!ended && link === undefined)) return true
  const isNext = read.link === 'lost' || text === undefined || link === (await sha256(linkText(read.link, line)))
  read.link = text === undefined ? 'lost' : (link ?? read.link)
  return isNext
}

/** Undefined for invalid JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readHeader(path: string, text: string, { isHeader }: ParseTools): RunHeader {
  const value = parse(text)
  if (isHeader(value)) return value
  const why = problemOf(isHeader)
  const { type, format }: { type?: unknown; format?: unknown } = Object(value)
  if (type === 'header' && format === 1) {
    const message =
      'the record has format 1, but this version reads only format 2. Run the suite again, or use the version that wrote the record.'
    throw new RecordError('unknown-format', path, message)
  }
  if (type === 'header' && format !== 2) {
    const message = `the record has format ${JSON.stringify(format)}, but this version reads only format 2. Use the version that wrote the record.`
    throw new RecordError('unknown-format', path, message)
  }
  const found = value === undefined ? 'is not JSON' : `is not a valid header (${why})`
  const message = `this is not a run record: its first line ${found}. Give the .ndjson file of a run.`
  throw new RecordError('no-header', path, message)
}

/** Returns the defect of the line. */
async function readLine(
  read: Read,
  line: TextLine,
  { isPlan, isRow, isFooter }: ParseTools,
): Promise<string | undefined> {
  if (read.footer) return `Line ${line.number} comes after the footer.`
  if (line.text === undefined) return `Line ${line.number} is too long.`
  const value = parse(line.text)
  if (value === undefined && !line.ended) {
    return `Line ${line.number}, the last line, is incomplete: the run was stopped.`
  }
  if (value === undefined) return `Line ${line.number} is not JSON.`
  const { type }: { type?: unknown } = Object(value)
  if (type === 'plan') {
    return isPlan(value)
      ? addPlan(read, line, value)
      : `Line ${line.number} is not a valid plan line: ${problemOf(isPlan)}.`
  }
  if (type === 'footer') {
    if (!isFooter(value)) return `Line ${line.number} is not a valid footer: ${problemOf(isFooter)}.`
    read.footer = { value, digest: await line.digestBefore() }
    return undefined
  }
  return isRow(value) ? addRow(read, line, value) : `Line ${line.number} is not a valid row: ${problemOf(isRow)}.`
}

function problemOf({ errors }: LineCheck<unknown>): string {
  const [problem] = errors ?? []
  return `${problem?.instancePath || 'the value'} ${problem?.message ?? 'does not match the schema'}`
}

/** The first plan line of a row counts. */
function addPlan({ plan }: Read, { number }: TextLine, line: PlanLine): string | undefined {
  const { id } = line.row
  if (plan.has(id)) return `Line ${number} is a second plan line of ${id}, and is ignored.`
  plan.set(id, line)
  return undefined
}

/** Keeps a row with invalid references, because it may be a failure. */
function addRow({ plan, rows }: Read, { number }: TextLine, row: RowLine): string | undefined {
  const resolved = plan.get(row.id)?.row
  if (!resolved)
    return `Line ${number} is of row ${row.id}, which has no plan line before it: its expectations are unknown.`
  rows.push({ ...row, resolved })
  const dangling = danglingReference(row, resolved)
  return dangling === undefined ? undefined : `Line ${number}, row ${row.id}: ${dangling}`
}

function firstOf(broken: string[]): string[] {
  const more = broken.length - namedLines
  return more > 0 ? [...broken.slice(0, namedLines), `${more} more lines are unusable.`] : broken
}
