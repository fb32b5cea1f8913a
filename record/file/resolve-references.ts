import type { PlanLine, RowLine, RunHeader } from '../types/record.js'
import { type SharedKind, type SharedLine, sharedKinds } from '../types/shared-line.js'
import { innerPlaces, type PlaceVisitor, visitHeader, visitPlan, visitRow } from './shared-places.js'

/** Characters of all texts together; a run keeps less. It bounds a record whose references multiply a text. */
const longestTexts = 192 * 1024 * 1024

/** Its message is a predicate: the line is its subject. */
export class ReferenceProblem extends Error {
  override readonly name = 'ReferenceProblem'
}

/** The shared values of a record, resolved once; lines that refer to a value have the same object. */
export class KnownValues {
  readonly #values = new Map<SharedKind, Map<string, unknown>>(sharedKinds.map((kind) => [kind, new Map()]))
  #characters = 0
  readonly #visitor: PlaceVisitor = {
    value: (kind, value, inner) => {
      // A stored line has the id of a value in its place; the schema checked every value of the kind.
      if (typeof value === 'string') return this.#valueOf(kind, value) as typeof value
      return inner ? inner(value) : value
    },
    text: (text) => this.#wholeText(text),
  }
  readonly #inner = innerPlaces(this.#visitor)

  /** Throws `ReferenceProblem`. */
  add(line: SharedLine): void {
    for (const kind of sharedKinds) {
      const known = this.#values.get(kind)
      for (const [id, value] of Object.entries(line[kind] ?? {})) {
        if (known?.has(id)) throw new ReferenceProblem(`defines ${id} again`)
        known?.set(id, this.#resolved(kind, value))
      }
    }
  }

  /** Throws `ReferenceProblem`. */
  header(line: RunHeader): RunHeader {
    return visitHeader(line, this.#visitor)
  }

  /** Throws `ReferenceProblem`. */
  plan(line: PlanLine): PlanLine {
    return visitPlan(line, this.#visitor)
  }

  /** Throws `ReferenceProblem`. */
  row(line: RowLine): RowLine {
    return visitRow(line, this.#visitor)
  }

  #resolved(kind: SharedKind, value: unknown): unknown {
    const inner = this.#inner[kind]
    return inner ? inner(value as never) : value // of this kind, by the schema
  }

  #valueOf(kind: SharedKind, id: string): unknown {
    const known = this.#values.get(kind)
    if (!known?.has(id)) throw new ReferenceProblem(`refers to ${id}, which no earlier line defines`)
    return known.get(id)
  }

  #wholeText(stored: string | readonly (string | number)[]): string {
    if (typeof stored === 'string') return stored
    const parts = stored.map((part) => (typeof part === 'string' ? part : String(this.#valueOf('texts', String(part)))))
    this.#characters += parts.reduce((sum, { length }) => sum + length, 0)
    if (this.#characters > longestTexts)
      throw new ReferenceProblem(`exceeds the limit of ${longestTexts} characters for all texts of a record`)
    return parts.join('')
  }
}
