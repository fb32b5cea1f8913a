import type { RunFooter, RunHeader, RunRecord, RunRow } from './record.js'
import { RecordError } from './record-error.js'
import { Tally } from './tally.js'
import { verdicts } from './verdict.js'

/** More broken lines than this are only counted: the point is made, and every report shows the list. */
const namedLines = 10

/** A compiled schema, as ajv makes it: `errors` tells of the last value that did not fit. */
export interface LineCheck<T> {
  (value: unknown): value is T
  errors?: readonly { instancePath: string; message?: string }[] | null
}

/** What a reader of records needs and a browser has otherwise than Node: the schemas, and SHA-256 (hex) of some bytes. */
export interface ParseTools {
  isHeader: LineCheck<RunHeader>
  isRow: LineCheck<RunRow>
  isFooter: LineCheck<RunFooter>
  sha256: (bytes: Uint8Array) => string | Promise<string>
}

/** A line of the file; `start` is its first byte, `ended` says whether a line feed follows it. */
interface Line {
  number: number
  start: number
  text: string
  ended: boolean
}

/**
 * Makes a run record of the bytes of its file, whole or not. Whatever is wrong with it - half a last line, lines that are
 * no rows, no footer, a digest or count that does not fit, missing rows, an id twice - is a sentence in `defects`; the
 * rows that can be read are there. `path` is for messages.
 * Rejects with RecordError: `no-header`, `unknown-format`.
 */
export async function parseRecord(path: string, bytes: Uint8Array, tools: ParseTools): Promise<RunRecord> {
  const { isRow, isFooter, sha256 } = tools
  const [first, ...lines] = splitLines(bytes)
  const header = readHeader(path, first?.text ?? '', tools)
  const rows: RunRow[] = []
  const broken: string[] = []
  let footer: { value: RunFooter; start: number } | undefined
  for (const line of lines) {
    const value = parse(line.text)
    if (footer) broken.push(`Line ${line.number} comes after the footer.`)
    else if (isFooter(value)) footer = { value, start: line.start }
    else if (isRow(value)) rows.push(value)
    else broken.push(brokenLine(line, value, tools))
  }
  const digest = footer && (await sha256(bytes.subarray(0, footer.start)))
  const defects = [...firstOf(broken), ...findDefects(header, rows, footer?.value, digest)]
  return { header, rows, ...(footer && { footer: footer.value }), defects }
}

function splitLines(bytes: Uint8Array): Line[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const lines: Line[] = []
  let start = 0
  while (start < bytes.length) {
    const lineFeed = bytes.indexOf(0x0a, start)
    const end = lineFeed === -1 ? bytes.length : lineFeed
    const text = decoder.decode(bytes.subarray(start, end))
    lines.push({ number: lines.length + 1, start, text, ended: lineFeed !== -1 })
    start = end + 1
  }
  return lines
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
  if (type === 'header' && format !== 1) {
    const message = `its format is ${JSON.stringify(format)}, and this version reads format 1 only. Use the version that wrote it.`
    throw new RecordError('unknown-format', path, message)
  }
  const found = value === undefined ? 'is not JSON' : `does not fit (${why})`
  const message = `this is no run record: its first line should be the header of one, and ${found}.`
  throw new RecordError('no-header', path, message)
}

function problemOf({ errors }: LineCheck<unknown>): string {
  const [problem] = errors ?? []
  return `${problem?.instancePath || 'the value'} ${problem?.message ?? 'does not fit'}`
}

function brokenLine(line: Line, value: unknown, { isRow, isFooter }: ParseTools): string {
  if (value === undefined && !line.ended) {
    return `Line ${line.number}, the last one, is cut off: the run was stopped while it wrote.`
  }
  if (value === undefined) return `Line ${line.number} is not JSON.`
  const { type }: { type?: unknown } = Object(value)
  const kind = type === 'footer' ? 'footer' : 'row'
  const check = kind === 'footer' ? isFooter : isRow
  check(value)
  return `Line ${line.number} is not a valid ${kind}: ${problemOf(check)}.`
}

function firstOf(broken: string[]): string[] {
  const more = broken.length - namedLines
  return more > 0 ? [...broken.slice(0, namedLines), `${more} more lines cannot be used.`] : broken
}

function findDefects(header: RunHeader, rows: RunRow[], footer: RunFooter | undefined, digest?: string): string[] {
  const tally = new Tally()
  for (const row of rows) tally.add(row)
  const defects: string[] = []
  if (rows.length !== header.planned) {
    defects.push(`The plan has ${header.planned} rows, and ${rows.length} are recorded.`)
  }
  if (tally.duplicates.size > 0) {
    const named = [...tally.duplicates].slice(0, namedLines).join(', ')
    defects.push(`${tally.duplicates.size} row ids occur more than once: ${named}.`)
  }
  if (!footer) return [...defects, 'There is no footer: the run was stopped before its end, or is still going on.']
  if (footer.digest !== digest) {
    defects.push('The digest in the footer is not that of the lines before it: the record was changed after the run.')
  }
  return [...defects, ...wrongFooter(footer, tally.result(header.planned))]
}

function wrongFooter(footer: RunFooter, found: ReturnType<Tally['result']>): string[] {
  const counts = verdicts
    .filter((verdict) => footer.counts[verdict] !== found.counts[verdict])
    .map(
      (verdict) =>
        `The footer counts ${footer.counts[verdict]} ${verdict}, and the rows give ${found.counts[verdict]}.`,
    )
  const others = (['executed', 'complete', 'conforming'] as const)
    .filter((member) => footer[member] !== found[member])
    .map((member) => `The footer says ${member}: ${footer[member]}, and the rows give ${found[member]}.`)
  return [...counts, ...others]
}
