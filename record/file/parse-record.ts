import { danglingReference } from '../judgements/references.js'
import type { PlanLine, RowLine, RunFooter, RunHeader, RunRecord, RunRow } from '../types/record.js'
import { linkText, splitLink } from './chain.js'
import { findDefects } from './find-defects.js'
import { RecordError } from './record-error.js'
import type { TextLine } from './text-lines.js'

/** More broken lines than this are only counted: the point is made, and every report shows the list. */
const namedLines = 10

/** A compiled schema, as ajv makes it: `errors` tells of the last value that did not fit. */
export interface LineCheck<T> {
  (value: unknown): value is T
  errors?: readonly { instancePath: string; message?: string }[] | null
}

/** What a reader of records needs: the schemas of its lines, compiled. */
export interface ParseTools {
  isHeader: LineCheck<RunHeader>
  isPlan: LineCheck<PlanLine>
  isRow: LineCheck<RowLine>
  isFooter: LineCheck<RunFooter>
  /** In hexadecimal. */
  sha256(text: string): string | Promise<string>
}

/** What was read of a record, line by line. */
interface Read {
  plan: Map<string, PlanLine>
  rows: RunRow[]
  footer?: { value: RunFooter; digest: string }
  /** A sentence per line that cannot be used, or not as it stands. */
  broken: string[]
  /** Of the line before; undefined where the record has none, and `lost` behind a line that could not be read. */
  link?: string
}

/**
 * Makes a run record of the lines of its file, whole or not. Whatever is wrong with it - half a last line, lines that do not
 * fit, a row without its plan line, a judgement of no step, no footer, a digest or count that does not fit, missing rows, an
 * id twice - is a sentence in `defects`; the rows that can be read are there. `path` is for messages.
 * Rejects with RecordError: `no-header`, `unknown-format`.
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

/** Whether the line is the next one of the chain; from there on the chain is taken as it says. What was cut off is told as such. */
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

/** Undefined, which is no JSON value, where the text is not JSON. */
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
      'its format is 1, which has no plan lines, and this version reads format 2 only. Run the suite again, or make reports with the version that wrote it.'
    throw new RecordError('unknown-format', path, message)
  }
  if (type === 'header' && format !== 2) {
    const message = `its format is ${JSON.stringify(format)}, and this version reads format 2 only. Use the version that wrote it.`
    throw new RecordError('unknown-format', path, message)
  }
  const found = value === undefined ? 'is not JSON' : `does not fit (${why})`
  const message = `this is no run record: its first line should be the header of one, and ${found}.`
  throw new RecordError('no-header', path, message)
}

/** Takes the line in, and gives back what is wrong with it. */
async function readLine(
  read: Read,
  line: TextLine,
  { isPlan, isRow, isFooter }: ParseTools,
): Promise<string | undefined> {
  if (read.footer) return `Line ${line.number} comes after the footer.`
  if (line.text === undefined) return `Line ${line.number} is too long to be read.`
  const value = parse(line.text)
  if (value === undefined && !line.ended) {
    return `Line ${line.number}, the last one, is cut off: the run was stopped while it wrote.`
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
  return `${problem?.instancePath || 'the value'} ${problem?.message ?? 'does not fit'}`
}

/** Of two plan lines the first one counts: nobody can know which of them was sent. */
function addPlan({ plan }: Read, { number }: TextLine, line: PlanLine): string | undefined {
  const { id } = line.row
  if (plan.has(id)) return `Line ${number} is a second plan line of ${id}, and is not used.`
  plan.set(id, line)
  return undefined
}

/** A row whose references lead nowhere stays: what failed must not be lost by it. */
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
  return more > 0 ? [...broken.slice(0, namedLines), `${more} more lines cannot be used.`] : broken
}
