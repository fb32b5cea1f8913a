import { createColors } from '../../lib/colors.js'
import { inputReason } from '../../lib/files/file-errors.js'
import { groupBy } from '../../lib/group-by.js'
import type { SourceLine } from '../../record/types/resolved-row.js'
import type { Location } from '../suite/suite.js'

export class FindingList {
  readonly #texts: ReadonlyMap<string, string>
  readonly #shown: (name: string) => string
  readonly #lines = new Map<string, string[]>()
  readonly #findings: Finding[] = []

  /** `shown`: the path that findings print for a name. */
  constructor(texts: ReadonlyMap<string, string>, shown: (name: string) => string = (name) => name) {
    this.#texts = texts
    this.#shown = shown
  }

  add(location: Location, message: string, hint?: string): void {
    this.#findings.push(this.#finding(location, message, hint))
  }

  warn(location: Location, message: string, hint: string): void {
    this.#findings.push({ ...this.#finding(location, message, hint), isWarning: true })
  }

  addLine({ file, line }: SourceLine, message: string, hint?: string): void {
    const [before = ''] = /^[ -]*/.exec(this.#linesOf(file)[line - 1] ?? '') ?? []
    this.add({ file, line, column: before.length + 1 }, message, hint)
  }

  has(message: string): boolean {
    return this.#findings.some((finding) => finding.message === message)
  }

  /** By location, without duplicates. */
  sorted(): Finding[] {
    const distinct = new Map(
      this.#findings.map((finding) => [JSON.stringify([finding.location, finding.message]), finding]),
    )
    const inOrder = [...distinct.values()].sort(
      ({ location: a }, { location: b }) => compare(a.file, b.file) || a.line - b.line || a.column - b.column,
    )
    return inOrder.map((finding) => ({
      ...finding,
      location: { ...finding.location, file: this.#shown(finding.location.file) },
    }))
  }

  #finding(location: Location, message: string, hint: string | undefined): Finding {
    const sourceLine = this.#linesOf(location.file)[location.line - 1] ?? ''
    return { location, message, ...(hint !== undefined && { hint }), sourceLine }
  }

  #linesOf(file: string): string[] {
    const known = this.#lines.get(file)
    if (known) return known
    const lines = (this.#texts.get(file) ?? '').split(/\r?\n/)
    this.#lines.set(file, lines)
    return lines
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const kinds = {
  suite: { source: 'the suite folder', problem: 'the suite cannot be loaded' },
  target: { source: 'the target file', problem: 'the target file is invalid' },
  waivers: { source: 'the waiver file', problem: 'the waiver file is invalid' },
} as const

/** The message lists all findings, without colours. */
export class FindingsError extends Error {
  override readonly name = 'FindingsError'
  readonly findings: readonly Finding[]

  constructor(kind: keyof typeof kinds, findings: readonly Finding[]) {
    super(`${kinds[kind].problem}\n${formatFindings(findings, { color: false })}`)
    this.findings = findings
  }
}

export function unreadable(kind: keyof typeof kinds, shown: string, error: unknown, hint?: string): FindingsError {
  const findings = new FindingList(new Map())
  const message = `${kinds[kind].source} cannot be read: ${inputReason(error)}`
  findings.add({ file: shown, line: 1, column: 1 }, message, hint)
  return new FindingsError(kind, findings.sorted())
}

export interface Finding {
  location: Location
  message: string
  hint?: string
  /** Empty if the location has no line. */
  sourceLine: string
  /** The suite is usable. */
  isWarning?: true
}

/** One mistake can cause thousands of findings. */
const maxShown = 100

/** Equal messages of one file; more are one finding. */
const maxEqual = 3
const namedLines = 10

function linesOf(findings: readonly Finding[]): string {
  const named = findings.slice(0, namedLines).map(({ location }) => location.line)
  return `in the lines ${named.join(', ')}${findings.length > namedLines ? ', ...' : ''}`
}

/** Columns; a longer line is cut around the location. */
const maxWidth = 140

/** As compilers print errors, with a caret. */
export function formatFindings(findings: readonly Finding[], { color }: { color: boolean }): string {
  const paint = createColors(color)
  const groups = [...groupBy(findings, ({ message, location }) => `${location.file} ${message}`).values()]
  const distinct = groups.flatMap((equal) => (equal.length > maxEqual ? equal.slice(0, 1) : equal))
  const more = distinct.length - maxShown
  const others = new Map(groups.map((equal) => [equal[0], equal.slice(1)]))
  const blocks = distinct.slice(0, maxShown).map((finding) => {
    const { location, message, hint, sourceLine, isWarning } = finding
    const equal = others.get(finding) ?? []
    const where = paint.bold(`${location.file}:${location.line}:${location.column}:`)
    const severity = isWarning ? paint.yellow('warning:') : paint.red('error:')
    const lines = [`${where} ${severity} ${message}`]
    if (sourceLine !== '') {
      const number = String(location.line)
      const { text, column } = excerpt(sourceLine, location.column)
      lines.push(`  ${paint.dim(`${number} |`)} ${text}`)
      lines.push(`  ${paint.dim(`${' '.repeat(number.length)} |`)} ${' '.repeat(column - 1)}${paint.green('^')}`)
    }
    if (hint !== undefined) lines.push(`  ${paint.cyan('hint:')} ${hint}`)
    if (equal.length >= maxEqual) lines.push(`  the same ${equal.length} more times, ${linesOf(equal)}`)
    return lines.join('\n')
  })
  return [...blocks, ...(more > 0 ? [`... and ${more} more`] : [])].join('\n\n')
}

/** Each character takes one column. */
function excerpt(line: string, column: number): { text: string; column: number } {
  const plain = line.replace(/\p{C}/gu, (character) => ' '.repeat(character.length))
  if (plain.length <= maxWidth) return { text: plain, column }
  const start = Math.max(0, Math.min(column - maxWidth / 2, plain.length - maxWidth))
  const before = start > 0 ? '... ' : ''
  const after = start + maxWidth < plain.length ? ' ...' : ''
  return { text: `${before}${plain.slice(start, start + maxWidth)}${after}`, column: column - start + before.length }
}
