import {
  Composer,
  type Document,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type YAMLError,
  YAMLParseError,
} from 'yaml'
import type { Data } from '../../record/types/resolved-row.js'
import type { Location } from '../suite/suite.js'
import type { FindingList } from './findings.js'
import { withOrigin } from './locations.js'

/** Maps and lists of the value have locations. */
export interface Parsed {
  value: Data
  location: Location
}

/**
 * Names are strings, and a member named `__proto__` is an ordinary member. Invalid or unsupported YAML becomes a finding, and a file with more
 * values than `limit`.
 * @example
 * const findings = new FindingList(new Map())
 * parseYaml('case.yaml', 'rows: [1, two]', findings)?.value // { rows: [1, 'two'] }
 */
export function parseYaml(file: string, text: string, findings: FindingList, limit = maxValues): Parsed | undefined {
  const lines = new LineCounter()
  const tooManyValues = [`the file has more than ${limit} values, the limit for a YAML file`, 'split the file'] as const
  const document = documentIn(text, lines, 2 * limit)
  if (!document) {
    findings.add({ file, line: 1, column: 1 }, ...tooManyValues)
    return undefined
  }
  const locationAt = (offset: number): Location => {
    const { line, col } = lines.linePos(offset)
    return { file, line, column: col }
  }
  let failed = false
  const fail = (offset: number, message: string, hint?: string): void => {
    failed = true
    findings.add(locationAt(offset), message, hint)
  }
  for (const problem of relevantProblems([...document.errors, ...document.warnings])) {
    fail(offsetOf(problem, text), sentence(problem))
  }
  if (failed) return undefined
  if (countValues(document.contents) > limit) fail(0, ...tooManyValues)
  if (failed) return undefined
  const value = converter(locationAt, fail)(document.contents, 0)
  return failed ? undefined : { value, location: locationAt(startOf(document.contents, 0)) }
}

/** Bounds the time of the checks; the largest file of the suite has a tenth. */
const maxValues = 50_000

/** The lexer's marker before each scalar. */
const scalarMark = '\x1f'

/** As `parseDocument` of the library, which reads a file of any size. Undefined for more scalars. */
function documentIn(text: string, lines: LineCounter, mostScalars: number): Document.Parsed | undefined {
  const parser = new Parser(lines.addNewLine)
  let left = mostScalars
  function* tokens() {
    lines.addNewLine(0)
    for (const lexeme of new Lexer().lex(text)) {
      if (lexeme === scalarMark) left -= 1
      if (left < 0) return
      yield* parser.next(lexeme)
    }
    yield* parser.end()
  }
  // The library's duplicate check takes quadratic time.
  const composer = new Composer({ lineCounter: lines, prettyErrors: false, stringKeys: true, uniqueKeys: false })
  const [document, second] = composer.compose(tokens(), true, text.length)
  if (left < 0) return undefined
  if (second) document?.errors.push(new YAMLParseError([second.range[0], second.range[1]], 'MULTIPLE_DOCS', ''))
  return document
}

function countValues(node: Node | null): number {
  if (isMap<Node, Node | null>(node)) return node.items.reduce((sum, { value }) => sum + countValues(value), 1)
  return isSeq<Node>(node) ? node.items.reduce((sum, item) => sum + countValues(item), 1) : 1
}

/** Errors after the first syntax error are consequences. */
function relevantProblems(problems: readonly YAMLError[]): YAMLError[] {
  const isContent = ({ code }: YAMLError): boolean => code === 'TAG_RESOLVE_FAILED'
  const first = problems.find((problem) => !isContent(problem))
  return problems.filter((problem) => problem === first || isContent(problem))
}

/** The last character, if something is missing at the end. */
function offsetOf({ pos: [start] }: YAMLError, text: string): number {
  return text.slice(start).trim() === '' ? Math.max(0, text.trimEnd().length - 1) : start
}

const noTags = 'tags (!name) are not supported'

function sentence({ code, message }: YAMLError): string {
  if (code === 'TAG_RESOLVE_FAILED') return noTags
  if (code === 'MULTIPLE_DOCS') return 'the file has more than one YAML document'
  if (code === 'RESOURCE_EXHAUSTION') return 'invalid YAML: nested too deeply'
  return `invalid YAML: ${message}`
}

const startOf = (node: Node | null, fallback: number): number => node?.range?.[0] ?? fallback

/** Offsets of a name and its value. */
interface Place {
  key: number
  value: number
}

function converter(
  locationAt: (offset: number) => Location,
  fail: (offset: number, message: string, hint?: string) => void,
): (node: Node | null, fallback: number) => Data {
  const scalar = (node: Node | null, offset: number): Data => {
    if (node === null) return null
    if (!isScalar(node)) {
      fail(offset, 'aliases (*name) are not supported', 'repeat the value, or define a base request')
      return null
    }
    const { value } = node
    if (typeof value === 'number' && !isFaithful(value, node.source)) {
      const message = `the number ${node.source ?? value} would be sent as ${value}`
      fail(offset, message, 'quote it; in a body, write { $number: "<digits>" }')
    }
    return value === null || typeof value === 'boolean' || typeof value === 'number' ? value : String(value)
  }
  const written = <Value extends object>(value: Value, offset: number, places: ReadonlyMap<string, Place>): Value => {
    const at = (known: number | undefined): Location | undefined =>
      known === undefined ? undefined : locationAt(known)
    return withOrigin(value, {
      location: () => locationAt(offset),
      key: (name) => at(places.get(name)?.key),
      value: (name) => at(places.get(name)?.value),
    })
  }
  const convert = (node: Node | null, fallback: number): Data => {
    const offset = startOf(node, fallback)
    // The library accepts YAML's own tags, such as !!binary.
    if (node?.tag !== undefined) fail(offset, noTags)
    const places = new Map<string, Place>()
    if (isSeq<Node>(node)) {
      for (const [index, item] of node.items.entries())
        places.set(String(index), { key: offset, value: startOf(item, offset) })
      const items = node.items.map((item) => convert(item, offset))
      return written(items, offset, places)
    }
    if (!isMap<Node, Node | null>(node)) return scalar(node, offset)
    const members = node.items.map(({ key, value }): [string, Data] => {
      const name = isScalar(key) ? String(key.value) : ''
      const start = startOf(key, offset)
      if (places.has(name)) fail(start, `duplicate key "${name}"`)
      places.set(name, { key: start, value: startOf(value, start) })
      return [name, convert(value, start)]
    })
    return written(Object.fromEntries(members), offset, places)
  }
  return convert
}

/** Integers beyond 2^53 may be rounded. */
const isFaithful = (value: number, source: string | undefined): boolean =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value) || String(value) === source)
