import type { PlanLine, RowLine, RunHeader } from '../types/record.js'
import type { ResolvedRow } from '../types/resolved-row.js'
import type { SharedKind, SharedLine, ValueKind } from '../types/shared-line.js'
import { TextHistory } from './copied-text.js'
import { innerPlaces, type PlaceVisitor, visitJudgement, visitPlan, visitRow } from './shared-places.js'
import { milliseconds, storedBody, withoutExpected } from './stored-forms.js'

/** First letters of ids, by kind; ids of texts are numbers. */
const letters: Readonly<Record<ValueKind, string>> = {
  sources: 'l',
  alternatives: 'a',
  demands: 'd',
  expectations: 'e',
  lists: 'i',
  templates: 't',
  requests: 'r',
  actions: 'n',
  steps: 's',
  otherwise: 'o',
  cases: 'c',
  fields: 'f',
  headers: 'h',
  calls: 'q',
  findings: 'g',
  judgements: 'j',
}

/** Characters. A reference to a shorter text saves nothing. */
const shortestText = 32

/** Gives an id to each value in a place for shared values. */
export class SharedValues {
  /** Of the run. */
  readonly #start: string
  readonly #ids = new Map<string, string | number>()
  readonly #counts = new Map<SharedKind, number>()
  readonly #texts = new TextHistory()
  #line: SharedLine | undefined
  readonly #visitor: PlaceVisitor = {
    value: (kind, value, inner) => this.#idOf(kind, inner ? inner(value) : value) as typeof value, // a reference
    rest: (kind, value, own) => {
      const names = new Set<PropertyKey>(own)
      const [stored, rest] = [{ ...value }, { ...value }]
      for (const name of Object.keys(value)) Reflect.deleteProperty(names.has(name) ? rest : stored, name)
      const inner = this.#inner[kind]
      const like = this.#idOf(kind, inner ? inner(rest as never) : rest) // the members that `inner` visits are there
      return Object.assign(stored, { like })
    },
    text: (text) => this.#storedText(text) as string, // its id
    body: (body) => storedBody(body, (text) => this.#storedText(text)) as typeof body, // its stored form
    time: (time, start) => milliseconds(time, start) as string, // its stored form
    judgement: (judgement, row) =>
      this.#visitor.value('judgements', withoutExpected(judgement, row), (one) => visitJudgement(one, this.#visitor)),
  }
  readonly #inner = innerPlaces(this.#visitor)

  constructor({ startedAt, variables = {} }: RunHeader) {
    this.#start = startedAt
    for (const [name, text] of Object.entries(variables)) this.#texts.store(name, text)
  }

  /** With references. The next shared line must precede it. */
  plan(line: PlanLine): PlanLine {
    return visitPlan(line, this.#visitor)
  }

  /** As `plan`. */
  row(line: RowLine, row: ResolvedRow | undefined): RowLine {
    return visitRow(line, row, this.#start, this.#visitor)
  }

  /** Values since the last call. */
  takeLine(): SharedLine | undefined {
    const line = this.#line
    this.#line = undefined
    return line
  }

  #idOf(kind: ValueKind, value: unknown): string {
    const key = `${kind} ${JSON.stringify(value)}`
    const known = this.#ids.get(key)
    if (typeof known === 'string') return known
    const id = `${letters[kind]}${this.#next(kind)}`
    this.#ids.set(key, id)
    this.#define(kind, id, value)
    return id
  }

  #storedText(text: string): string | number {
    if (text.length < shortestText) return text
    const known = this.#ids.get(text)
    if (typeof known === 'number') return known
    const id = this.#next('texts')
    this.#ids.set(text, id)
    this.#define('texts', String(id), this.#texts.store(id, text))
    return id
  }

  #next(kind: SharedKind): number {
    const number = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, number)
    return number
  }

  #define(kind: SharedKind, id: string, value: unknown): void {
    this.#line ??= { type: 'shared' }
    this.#line[kind] ??= {}
    this.#line[kind][id] = value
  }
}
