import { parsed } from '../../lib/json/parsed.js'
import { withOracleFindings } from '../judgements/oracle-findings.js'
import { danglingReference } from '../judgements/references.js'
import type { OraclesLine, PlanLine, RowLine, RunFooter, RunHeader, RunRecord, RunRow } from '../types/record.js'
import type { SharedLine } from '../types/shared-line.js'
import { linkText, mayLackLink, splitLink } from './chain.js'
import { findDefects } from './find-defects.js'
import { type ReadLimits, usualLimits } from './read-limits.js'
import { RecordError } from './record-error.js'
import { KnownValues, ReferenceProblem } from './resolve-references.js'
import type { TextLine } from './text-lines.js'

const namedLines = 10
/** Characters of a name and version in a message. */
const longestVersion = 100
const currentFormat: RunHeader['format'] = 3

/** A schema compiled by ajv; `errors` is about the last invalid value. */
export interface LineCheck<T> {
  (value: unknown): value is T
  errors?: readonly { instancePath: string; message?: string }[] | null
}

export interface ParseTools {
  isHeader: LineCheck<RunHeader>
  isShared: LineCheck<SharedLine>
  isPlan: LineCheck<PlanLine>
  isRow: LineCheck<RowLine>
  isOracles: LineCheck<OraclesLine>
  isFooter: LineCheck<RunFooter>
  /** Default: true. Otherwise texts by reference are empty: the bodies of evidence, and texts of judgements. */
  keepsTexts?: boolean
  limits?: ReadLimits
  sha256(text: string): string | Promise<string>
}

interface Read {
  shared: KnownValues
  plan: Map<string, PlanLine>
  rows: RunRow[]
  oracles?: OraclesLine
  footer?: { value: RunFooter; digest: string }
  broken: string[]
  /** Undefined without a chain, `lost` after an unreadable line. */
  link?: string
  /** The last line with a link. */
  linked: number
}

/** Reports unusable lines in `defects`. Rejects with `RecordError`: `no-header`, `unknown-format`. */
export async function parseRecord(
  path: string,
  lines: Iterable<TextLine> | AsyncIterable<TextLine>,
  tools: ParseTools,
): Promise<RunRecord> {
  const { keepsTexts = true, limits = usualLimits } = tools
  let header: RunHeader | undefined
  const read: Read = {
    shared: new KnownValues({ keepsTexts, limits }),
    plan: new Map(),
    rows: [],
    broken: [],
    linked: 0,
  }
  for await (const line of lines) {
    if (line.number > limits.lines) {
      read.broken.unshift(`The record has more than ${limits.lines} lines, the limit. The others are not read.`)
      break
    }
    const split = splitLink(line.text ?? '')
    if (!header) {
      header = readHeader(path, split.line, read, tools)
      if (split.link !== undefined) read.link = ''
    }
    const isNext = await follows(read, split, line, tools)
    const whole = line.text === undefined ? line : { ...line, text: split.line }
    const problem = line.number === 1 ? undefined : await readLine(read, whole, tools)
    if (problem !== undefined || !isNext) read.broken.push(problem ?? gapBefore(line.number, read.linked))
    if (split.link !== undefined) read.linked = line.number
  }
  header ??= readHeader(path, '', read, tools)
  const { plan, oracles, footer, broken } = read
  const rows = withOracleFindings(read.rows, oracles?.findings)
  const whole = findDefects(header, { rows, footer: footer?.value, digest: footer?.digest })
  return {
    header,
    plan: [...plan.values()],
    rows,
    ...(oracles && { oracles }),
    ...(footer && { footer: footer.value }),
    defects: [...firstOf(broken), ...whole],
  }
}

/**
 * A line without a link is part of the next link. After a gap, the chain starts again at a link. Incomplete last lines
 * have their own message.
 */
async function follows(
  read: Read,
  { line, link }: ReturnType<typeof splitLink>,
  { text, ended }: TextLine,
  { sha256 }: ParseTools,
): Promise<boolean> {
  if (read.link === undefined || (!ended && link === undefined)) return true
  if (text === undefined || read.link === 'lost') {
    read.link = link ?? 'lost'
    return true
  }
  const expected = await sha256(linkText(read.link, line))
  read.link = link ?? expected
  return link === undefined ? mayLackLink(line) : link === expected
}

function gapBefore(line: number, linked: number): string {
  const where = line - linked <= 1 ? `or directly before it` : `or between it and line ${linked}`
  return `Line ${line} breaks the chain: a line was removed, inserted or altered there, ${where}.`
}

function withoutReferences(shared: KnownValues, header: RunHeader): RunHeader | undefined {
  try {
    return shared.header(header)
  } catch (error) {
    if (error instanceof ReferenceProblem) return undefined
    throw error
  }
}

function readHeader(path: string, text: string, { shared }: Read, { isHeader }: ParseTools): RunHeader {
  const value = parsed(text)
  const isValid = isHeader(value)
  const why = isValid ? 'it contains ids of shared values' : problemOf(isHeader)
  const header = isValid ? withoutReferences(shared, value) : undefined
  if (header) return header
  const { type, format, tool }: { type?: unknown; format?: unknown; tool?: unknown } = Object(value)
  if (type === 'header' && format !== currentFormat) {
    const { name, version }: { name?: unknown; version?: unknown } = Object(tool)
    const writer =
      typeof version === 'string' ? `${String(name)} ${version}`.slice(0, longestVersion) : 'the version that wrote it'
    const message = `the record has format ${JSON.stringify(format)}, but this version reads only format ${currentFormat}. Read it with ${writer}.`
    throw new RecordError('unknown-format', path, message)
  }
  const found = value === undefined ? 'is not JSON' : `is not a valid header (${why})`
  const message = `this is not a run record: its first line ${found}. Give the .ndjson file of a run.`
  throw new RecordError('no-header', path, message)
}

async function readLine(read: Read, line: TextLine, tools: ParseTools): Promise<string | undefined> {
  if (read.footer) return `Line ${line.number} comes after the footer.`
  if (line.text === undefined) return `Line ${line.number} ${line.problem ?? 'is too long'}.`
  const value = parsed(line.text)
  if (value === undefined && !line.ended) {
    return `Line ${line.number}, the last line, is incomplete: the run was stopped.`
  }
  if (value === undefined) return `Line ${line.number} is not JSON.`
  try {
    return await readValue(read, line, value, tools)
  } catch (error) {
    if (!(error instanceof ReferenceProblem)) throw error
    return `Line ${line.number} ${error.message}.`
  }
}

/** Throws `ReferenceProblem`. */
async function readValue(
  read: Read,
  line: TextLine,
  value: unknown,
  { isShared, isPlan, isRow, isOracles, isFooter }: ParseTools,
): Promise<string | undefined> {
  const invalid = (what: string, check: LineCheck<unknown>): string =>
    `Line ${line.number} is not a valid ${what}: ${problemOf(check)}.`
  const { type }: { type?: unknown } = Object(value)
  if (type === 'shared') {
    if (!isShared(value)) return invalid('shared line', isShared)
    read.shared.add(value)
    return undefined
  }
  if (type === 'plan') return isPlan(value) ? addPlan(read, line, value) : invalid('plan line', isPlan)
  if (type === 'oracles') return isOracles(value) ? addOracles(read, line, value) : invalid('oracles line', isOracles)
  if (type === 'footer') {
    if (!isFooter(value)) return invalid('footer', isFooter)
    read.footer = { value, digest: await line.digestBefore() }
    return undefined
  }
  return isRow(value) ? addRow(read, line, value) : invalid('row', isRow)
}

function problemOf({ errors }: LineCheck<unknown>): string {
  const [problem] = errors ?? []
  return `${problem?.instancePath || 'the value'} ${problem?.message ?? 'does not match the schema'}`
}

function addPlan({ shared, plan }: Read, { number }: TextLine, stored: PlanLine): string | undefined {
  const line = shared.plan(stored)
  const { id } = line.row
  if (plan.has(id)) return `Line ${number} is a second plan line of ${id}, and is ignored.`
  plan.set(id, line)
  return undefined
}

function addOracles(read: Read, { number }: TextLine, stored: OraclesLine): string | undefined {
  if (read.oracles) return `Line ${number} is a second oracles line, and is ignored.`
  read.oracles = read.shared.oracles(stored)
  return undefined
}

/** A row with invalid references stays, because it may be a failure. */
function addRow({ shared, plan, rows }: Read, { number }: TextLine, stored: RowLine): string | undefined {
  const resolved = plan.get(stored.id)?.row
  if (!resolved)
    return `Line ${number} is of row ${stored.id}, which has no plan line before it: its expectations are unknown.`
  try {
    const row = shared.row(stored, resolved)
    rows.push({ ...row, resolved })
    const dangling = danglingReference(row, resolved)
    return dangling === undefined ? undefined : `Line ${number}, row ${row.id}: ${dangling}`
  } catch (error) {
    const { variables: _, ...known } = stored
    // A stored time can be a number.
    rows.push({ ...known, startedAt: String(stored.startedAt), judgements: [], evidence: [], resolved })
    throw error
  }
}

function firstOf(broken: string[]): string[] {
  const more = broken.length - namedLines
  return more > 0 ? [...broken.slice(0, namedLines), `${more} more lines are unusable.`] : broken
}
