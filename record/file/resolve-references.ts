import type { OraclesLine, PlanLine, RowLine, RunHeader } from '../types/record.js'
import type { ResolvedRow } from '../types/resolved-row.js'
import { type SharedKind, type SharedLine, sharedKinds, type ValueKind } from '../types/shared-line.js'
import type { CopiedText } from './copied-text.js'
import { type ReadLimits, usualLimits } from './read-limits.js'
import { innerPlaces, type PlaceVisitor, visitHeader, visitOracles, visitPlan, visitRow } from './shared-places.js'
import { bodyWith, type TextBody, timeAfter, wholeBody, withExpected } from './stored-forms.js'

/** Its message is a predicate: the line is its subject. */
export class ReferenceProblem extends Error {
  override readonly name = 'ReferenceProblem'
}

/** `text` is empty if the reader needs no texts. */
interface KnownText {
  text: string
  length: number
  /** Answers repeat, so many exchanges share this object. */
  body?: TextBody
}

/** The shared values of a record, resolved once; lines that refer to a value have the same object. */
export class KnownValues {
  readonly #keepsTexts: boolean
  readonly #limits: ReadLimits
  readonly #values = new Map<SharedKind, Map<string, unknown>>(sharedKinds.map((kind) => [kind, new Map()]))
  #characters = 0
  #referenced = 0
  /** Of the run. */
  #start = ''
  #variables = new Map<string, string>()
  readonly #visitor: PlaceVisitor = {
    value: (kind, value, inner) => {
      // A stored line has the id of a value in its place; the schema checked every value of the kind.
      if (typeof value === 'string') return this.#valueOf(kind, value) as typeof value
      return inner ? inner(value) : value
    },
    rest: (kind, value) => {
      if (!('like' in value)) return (this.#inner[kind]?.(value as never) ?? value) as typeof value // of this kind, by the schema
      const { like, ...own } = value
      return Object.assign({}, this.#valueOf(kind, String(like)), own) as typeof value // together its members
    },
    text: (text) => this.text(text),
    body: (body) => wholeBody(body, (text) => this.#bodyOf(text)),
    time: (stored, start) => {
      const time = timeAfter(stored, start)
      if (time === undefined) throw new ReferenceProblem('has a time that is no date')
      return time
    },
    judgement: (stored, row) => {
      const judgement = withExpected(this.#visitor.value('judgements', stored), row)
      if (!judgement) throw new ReferenceProblem('has a judgement without its expectation')
      return judgement
    },
  }
  readonly #inner = innerPlaces(this.#visitor)

  /** With `keepsTexts: false`, texts by reference are checked but empty. */
  constructor({ keepsTexts, limits = usualLimits }: { keepsTexts: boolean; limits?: ReadLimits }) {
    this.#keepsTexts = keepsTexts
    this.#limits = limits
  }

  /** Throws `ReferenceProblem`. */
  add(line: SharedLine): void {
    for (const kind of sharedKinds) {
      const known = this.#values.get(kind)
      for (const [id, value] of Object.entries(line[kind] ?? {})) {
        if (known?.has(id)) throw new ReferenceProblem(`defines ${id} again`)
        known?.set(id, kind === 'texts' ? this.#joined(Number(id), value as CopiedText) : this.#resolved(kind, value)) // by the schema
      }
    }
  }

  /** Throws `ReferenceProblem`. */
  header(line: RunHeader): RunHeader {
    const header = visitHeader(line, this.#visitor)
    this.#start = header.startedAt
    this.#variables = new Map(Object.entries(header.variables ?? {}))
    return header
  }

  /** Throws `ReferenceProblem`. */
  plan(line: PlanLine): PlanLine {
    return visitPlan(line, this.#visitor)
  }

  /** Throws `ReferenceProblem`. */
  row(line: RowLine, row: ResolvedRow): RowLine {
    return visitRow(line, row, this.#start, this.#visitor)
  }

  /** Throws `ReferenceProblem`. */
  oracles(line: OraclesLine): OraclesLine {
    return visitOracles(line, this.#start, this.#visitor)
  }

  #resolved(kind: ValueKind, value: unknown): unknown {
    const inner = this.#inner[kind]
    return inner ? inner(value as never) : value // of this kind, by the schema
  }

  #valueOf(kind: SharedKind, id: string): unknown {
    const known = this.#values.get(kind)
    if (!known?.has(id)) throw new ReferenceProblem(`refers to ${id}, which no earlier line defines`)
    return known.get(id)
  }

  /** Throws `ReferenceProblem`. */
  text(stored: string | number): string {
    return typeof stored === 'string' ? stored : this.#referTo(stored).text
  }

  #bodyOf(stored: string | number): TextBody {
    if (typeof stored === 'string') return bodyWith(stored)
    const known = this.#referTo(stored)
    known.body ??= bodyWith(known.text)
    return known.body
  }

  #referTo(id: number): KnownText {
    const known = this.#textOf(id)
    this.#referenced += known.length
    const { references } = this.#limits
    if (this.#referenced > references)
      throw new ReferenceProblem(`exceeds the limit of ${references} characters for all references of a record`)
    return known
  }

  #textOf(id: number): KnownText {
    return this.#valueOf('texts', String(id)) as KnownText // `add` made it
  }

  #sourceOf(id: string | number): KnownText {
    if (typeof id === 'number') return this.#textOf(id)
    const text = this.#variables.get(id)
    if (text === undefined) throw new ReferenceProblem(`refers to ${id}, which is no variable of the header`)
    return { text, length: text.length }
  }

  #joined(id: number, stored: CopiedText): KnownText {
    const joined: KnownText = { text: '', length: 0 }
    let source: KnownText = { text: '', length: 0 }
    let index = 0
    for (const part of typeof stored === 'string' ? [stored] : stored) {
      if (typeof part === 'object') {
        source = part[0] === id ? { ...joined } : this.#sourceOf(part[0])
        index = part[1]
        continue
      }
      const length = typeof part === 'string' ? part.length : part
      if (typeof part === 'number' && index + length > source.length)
        throw new ReferenceProblem(`copies more characters into ${id} than a text has`)
      this.#count(length)
      if (this.#keepsTexts) joined.text += typeof part === 'string' ? part : source.text.slice(index, index + part)
      joined.length += length
      index += length
    }
    return joined
  }

  #count(length: number): void {
    this.#characters += length
    const { texts } = this.#limits
    if (this.#characters > texts)
      throw new ReferenceProblem(`exceeds the limit of ${texts} characters for all texts of a record`)
  }
}
