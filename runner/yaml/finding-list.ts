import type { SourceLine } from '../../record/types/resolved-row.js'
import type { Location } from '../suite/suite.js'
import type { Finding } from './findings.js'

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
