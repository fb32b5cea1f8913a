import type { PlanLine, RowLine } from '../types/record.js'
import type { SharedKind, SharedLine } from '../types/shared-line.js'
import { type PlaceVisitor, visitPlan, visitRow } from './shared-places.js'
import { splitText } from './split-text.js'

/** First letters of ids, by kind; ids of texts are numbers. */
const letters: Readonly<Record<Exclude<SharedKind, 'texts'>, string>> = {
  alternatives: 'a',
  expectations: 'e',
  requests: 'r',
  steps: 's',
  otherwise: 'o',
  headers: 'h',
  bodies: 'b',
  judgements: 'j',
}

/** The shared line, if the line is the first with some of its values, and the line with references. */
export type StoredLines<T> = [SharedLine | undefined, T]

/** Gives an id to each value in a place for shared values. Lines must be written in the order of the calls. */
export class SharedValues {
  readonly #ids = new Map<string, string | number>()
  readonly #counts = new Map<SharedKind, number>()
  #line: SharedLine | undefined
  readonly #visitor: PlaceVisitor = {
    value: (kind, value, inner) => this.#idOf(kind, inner ? inner(value) : value) as typeof value, // a reference
    text: (text) => this.#storedText(text) as string, // pieces
  }

  plan(line: PlanLine): StoredLines<PlanLine> {
    return this.#stored(() => visitPlan(line, this.#visitor))
  }

  row(line: RowLine): StoredLines<RowLine> {
    return this.#stored(() => visitRow(line, this.#visitor))
  }

  #stored<T>(visit: () => T): StoredLines<T> {
    this.#line = undefined
    const line = visit()
    return [this.#line, line]
  }

  #idOf(kind: SharedKind, value: unknown): string | number {
    const key = `${kind} ${JSON.stringify(value)}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const number = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, number)
    const id = kind === 'texts' ? number : `${letters[kind]}${number}`
    this.#ids.set(key, id)
    this.#line ??= { type: 'shared' }
    const values = this.#line[kind] ?? {}
    values[id] = value
    this.#line[kind] = values
    return id
  }

  /** Literal texts, and ids of shared texts; a text without shared parts stays as it is. */
  #storedText(text: string): string | (string | number)[] {
    const parts = [...splitText(text)].map((part) => (part.recurs ? this.#idOf('texts', part.text) : part.text))
    const [only = ''] = parts
    return parts.length <= 1 && typeof only === 'string' ? only : parts
  }
}
