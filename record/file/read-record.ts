import { InputError } from '../../lib/files/file-errors.js'
import { firstOf } from '../../lib/first-of.js'
import { parsed } from '../../lib/json/parsed.js'
import { withOracleFindings } from '../judgements/oracle-findings.js'
import { danglingReference } from '../judgements/references.js'
import type { OraclesLine, RecordedExchange, RunFooter, RunHeader, RunRecord, RunRow } from '../types/record.js'
import type { ResolvedStep } from '../types/resolved-row.js'
import { findDefects } from './find-defects.js'
import { isDeeper } from './json-depth.js'
import { isExchange, isFooter, isHeader, isOracles, isRow, isStep, type LineCheck } from './record-checks.js'
import { RecordError } from './record-error.js'
import { type ReadLimits, streamLines, type TextLine, usualLimits } from './stream-lines.js'

/** By file name; part of the package. */
export const recordSchemaFiles = ['run-record.schema.json', 'resolved-row.schema.json', 'reason.schema.json'].map(
  (name) => [name, new URL(`../../../record/${name}`, import.meta.url)] as const,
)

const namedLines = 10
/** Characters of a name and version in a message. */
const longestVersion = 100
const currentFormat: RunHeader['format'] = 4

interface Read {
  header: RunHeader
  planned: ReadonlySet<string>
  /** Distinct steps by their JSON. */
  steps: Map<string, ResolvedStep>
  keep: (row: RunRow) => RunRow
  exchanges: RecordedExchange[]
  rows: RunRow[]
  oracles?: OraclesLine
  footer?: { value: RunFooter; digest: string }
  /** One sentence for each unusable line. */
  broken: string[]
}

export interface ReadOptions {
  limits?: ReadLimits
  /** What the caller needs of a row; default: the row. The rest is not kept in memory. */
  keep?: (row: RunRow) => RunRow
}

/**
 * Reports unusable lines in `defects`. Rejects with `RecordError`: `unreadable`, `no-header`, `unknown-format`.
 * @example
 * const { rows, defects } = await readRecord('results/r-7/run.ndjson.br')
 * defects // [] for an undamaged record
 */
export async function readRecord(path: string, { limits = usualLimits, keep }: ReadOptions = {}): Promise<RunRecord> {
  try {
    const { header, exchanges, rows, oracles, footer, broken } = await readLines(path, limits, keep)
    const judged = withOracleFindings(rows, oracles?.findings)
    const whole = findDefects(header, { rows: judged, footer: footer?.value, digest: footer?.digest })
    return {
      header,
      ...(exchanges.length > 0 && { exchanges }),
      rows: judged,
      ...(oracles && { oracles }),
      ...(footer && { footer: footer.value }),
      defects: [...firstOf(broken, namedLines, (left) => `${left} more lines are unusable.`), ...whole],
    }
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause
    const message = `the run record cannot be read (${cause.reason}). Give the record of a run, such as run.ndjson.br.`
    throw new RecordError('unreadable', path, message, { cause })
  }
}

async function readLines(path: string, limits: ReadLimits, keep: Read['keep'] = (row) => row): Promise<Read> {
  let read: Read | undefined
  for await (const line of streamLines(path, limits)) {
    if (read) {
      const problem = readLine(read, line, limits)
      if (problem === undefined) continue
      // Damage of the file explains the lines before it.
      read.broken[line.problem === undefined ? 'push' : 'unshift'](`Line ${line.number} ${problem}.`)
    } else {
      const header = readHeader(path, line, limits)
      read = {
        header,
        planned: new Set(header.plan),
        steps: new Map(),
        keep,
        exchanges: [],
        rows: [],
        broken: [],
      }
    }
  }
  if (!read) throw noHeader(path, 'is missing')
  return read
}

/** Of the first line. Throws `RecordError`. */
export function readHeader(path: string, line: TextLine, limits: ReadLimits = usualLimits): RunHeader {
  const value = parsedLine(line, limits)
  if (typeof value === 'string') throw noHeader(path, value)
  if (isHeader(value.json)) return value.json
  const { type, format, tool }: { type?: unknown; format?: unknown; tool?: unknown } = Object(value.json)
  if (type !== 'header' || format === currentFormat)
    throw noHeader(path, `is not a valid header (${problemOf(isHeader)})`)
  const { name, version }: { name?: unknown; version?: unknown } = Object(tool)
  const writer =
    typeof version === 'string' ? `${String(name)} ${version}`.slice(0, longestVersion) : 'the version that wrote it'
  throw new RecordError(
    'unknown-format',
    path,
    `the record has format ${JSON.stringify(format)}, but this version reads only format ${currentFormat}. Read it with ${writer}.`,
  )
}

const noHeader = (path: string, problem: string): RecordError =>
  new RecordError(
    'no-header',
    path,
    `this is not a run record: its first line ${problem}. Give the record of a run, such as run.ndjson.br.`,
  )

/** Returns the problem of an unusable line, as a predicate. */
function readLine(read: Read, line: TextLine, limits: ReadLimits): string | undefined {
  if (read.footer) return 'comes after the footer'
  const value = parsedLine(line, limits)
  if (typeof value === 'string') return value
  const { json } = value
  const { type }: { type?: unknown } = Object(json)
  if (type === 'footer') {
    if (!isFooter(json)) return invalid('footer', isFooter)
    read.footer = { value: json, digest: line.digestBefore() }
    return undefined
  }
  if (type === 'exchange') {
    if (!isExchange(json)) return invalid('exchange', isExchange)
    read.exchanges.push(json)
    return undefined
  }
  if (type === 'oracles') {
    if (!isOracles(json)) return invalid('oracles line', isOracles)
    if (read.oracles) return 'is a second oracles line, and is ignored'
    read.oracles = json
    return undefined
  }
  return isRow(json) ? addRow(read, json) : invalid('row', isRow)
}

/** The parsed line, or the problem, as a predicate. */
function parsedLine({ text, problem, ended }: TextLine, { depth }: ReadLimits): { json: unknown } | string {
  if (text === undefined) return problem ?? 'is too long'
  if (isDeeper(text, depth)) return `has more than ${depth} objects and arrays around a value, the limit`
  const json = parsed(text)
  if (json !== undefined) return { json }
  return ended ? 'is not JSON' : 'is incomplete: the run was stopped'
}

const invalid = (what: string, check: LineCheck<unknown>): string => `is not a valid ${what}: ${problemOf(check)}`

function problemOf({ errors }: LineCheck<unknown>): string {
  const [problem] = errors ?? []
  return `${problem?.instancePath || 'the value'} ${problem?.message ?? 'does not match the schema'}`
}

/** A row with invalid references stays, because it may be a failure. */
function addRow({ planned, steps, keep, rows }: Read, row: RunRow): string | undefined {
  if (!planned.has(row.id)) return `is of row ${row.id}, which the plan of this run lacks, and is ignored`
  if (row.resolved.id !== row.id) return `is of row ${row.id}, with the steps of row ${row.resolved.id}, and is ignored`
  const known = knownSteps(row, steps)
  if (!known) return invalid('row', isStep)
  row.resolved.steps = known
  rows.push(keep(row))
  const dangling = danglingReference(row)
  return dangling && `(row ${row.id}): ${dangling}`
}

/**
 * Hundreds of rows have the same probes. Equal steps are checked once and become one object, so that a record in memory
 * needs less than its text. Undefined if a step does not match the schema; `isStep.errors` has the reason.
 */
function knownSteps({ resolved }: RunRow, known: Map<string, ResolvedStep>): ResolvedStep[] | undefined {
  const found: ResolvedStep[] = []
  for (const step of resolved.steps) {
    const json = JSON.stringify(step)
    const own = known.get(json) ?? step
    if (own === step && !isStep(step)) return undefined
    known.set(json, own)
    found.push(own)
  }
  return found
}
