import type { OraclesLine, PlanLine, RowLine, RunHeader } from '../types/record.js'
import type { ResolvedRow } from '../types/resolved-row.js'
import type { SharedKind, SharedLine, ValueKind } from '../types/shared-line.js'
import { TextHistory } from './copied-text.js'
import { innerPlaces, type PlaceVisitor, visitJudgement, visitOracles, visitPlan, visitRow } from './shared-places.js'
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
/** Characters. The writer keeps the JSON of a value up to this length, so that it visits equal values once. */
const longestKnown = 4096

/** Rows or steps share their objects. */
const sharedObjects: ReadonlySet<ValueKind> = new Set(['steps', 'lists', 'requests', 'alternatives'])
/** Other objects with equal content. */
const repeatedValues: ReadonlySet<ValueKind> = new Set(['headers', 'judgements'])

/** Gives an id to each value in a place for shared values. */
export class SharedValues {
  /** Of the run. */
  readonly #start: string
  readonly #ids = new Map<ValueKind, Map<string, string>>()
  /** As `#ids`, by the JSON of the value without references. */
  readonly #known = new Map<ValueKind, Map<string, string>>()
  readonly #ofObjects = new WeakMap<object, string>()
  readonly #textIds = new Map<string, number>()
  readonly #counts = new Map<SharedKind, number>()
  readonly #texts = new TextHistory()
  #line: SharedLine | undefined
  readonly #visitor: PlaceVisitor = {
    value: (kind, value, inner = (whole) => whole) => this.#idOfWhole(kind, value, inner) as typeof value, // a reference
    rest: (kind, value, own) => {
      const names: readonly PropertyKey[] = own
      const [stored, rest]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}]
      for (const [name, member] of Object.entries(value)) (names.includes(name) ? stored : rest)[name] = member
      const inner = this.#inner[kind]
      stored['like'] = inner
        ? this.#idOfKnown(kind, rest, () => inner(rest as never)) // the members that `inner` visits are there
        : this.#idOf(kind, rest)
      return stored as typeof value // its stored form
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

  /** As `plan`. */
  oracles(line: OraclesLine): OraclesLine {
    return visitOracles(line, this.#start, this.#visitor)
  }

  /** Values since the last call. */
  takeLine(): SharedLine | undefined {
    const line = this.#line
    this.#line = undefined
    return line
  }

  #idOfWhole<T>(kind: ValueKind, value: T, inner: (value: T) => T): string {
    const object = sharedObjects.has(kind) && typeof value === 'object' && value !== null ? value : undefined
    if (object) return known(this.#ofObjects, object, () => this.#idOf(kind, inner(value)))
    if (repeatedValues.has(kind)) return this.#idOfKnown(kind, value, () => inner(value))
    return this.#idOf(kind, inner(value))
  }

  #idOfKnown(kind: ValueKind, value: unknown, inner: () => unknown): string {
    const json = JSON.stringify(value)
    if (json.length > longestKnown) return this.#idOf(kind, inner())
    return known(ofKind(this.#known, kind), json, () => this.#idOf(kind, inner()))
  }

  #idOf(kind: ValueKind, value: unknown): string {
    return known(ofKind(this.#ids, kind), JSON.stringify(value), () => {
      const id = `${letters[kind]}${this.#next(kind)}`
      this.#define(kind, id, value)
      return id
    })
  }

  #storedText(text: string): string | number {
    if (text.length < shortestText) return text
    return known(this.#textIds, text, () => {
      const id = this.#next('texts')
      this.#define('texts', String(id), this.#texts.store(id, text))
      return id
    })
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

function ofKind<T>(all: Map<ValueKind, Map<string, T>>, kind: ValueKind): Map<string, T> {
  return known(all, kind, () => new Map<string, T>())
}

/** The value of a key, made on the first call. */
function known<K, V>(values: { get(key: K): V | undefined; set(key: K, value: V): unknown }, key: K, make: () => V): V {
  const found = values.get(key)
  if (found !== undefined) return found
  const made = make()
  values.set(key, made)
  return made
}
