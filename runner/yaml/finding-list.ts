import type { SourceLine } from '../../record/types/resolved-row.js'
import type { Location } from '../suite/suite.js'
import type { Finding } from './findings.js'

/** Collects findings; knows the text of the files, so that each finding can show its line. */
export class FindingList {
  readonly #texts: ReadonlyMap<string, string>
  readonly #shown: (name: string) => string
  readonly #lines = new Map<string, string[]>()
  readonly #found: Finding[] = []

  /** `texts`: the text of each file by the name that locations give it. `shown`: the path that findings give for that name. */
  constructor(texts: ReadonlyMap<string, string>, shown: (name: string) => string = (name) => name) {
    this.#texts = texts
    this.#shown = shown
  }

  add(location: Location, message: string, hint?: string): void {
    const sourceLine = this.#linesOf(location.file)[location.line - 1] ?? ''
    this.#found.push({ location, message, ...(hint !== undefined && { hint }), sourceLine })
  }

  /** The same for a whole line: what stands first in it is pointed at. */
  addLine({ file, line }: SourceLine, message: string, hint?: string): void {
    const [before = ''] = /^[ -]*/.exec(this.#linesOf(file)[line - 1] ?? '') ?? []
    this.add({ file, line, column: before.length + 1 }, message, hint)
  }

  /** By file, line and column; what was found twice in the same way is there once. */
  sorted(): Finding[] {
    const distinct = new Map(
      this.#found.map((finding) => [JSON.stringify([finding.location, finding.message]), finding]),
    )
    const inOrder = [...distinct.values()].sort(
      ({ location: a }, { location: b }) => compare(a.file, b.file) || a.line - b.line || a.column - b.column,
    )
    return inOrder.map((one) => ({ ...one, location: { ...one.location, file: this.#shown(one.location.file) } }))
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
