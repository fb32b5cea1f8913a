import { parsed } from '../../lib/json/parsed.js'

/** Deeper levels have the same indent: thousands of brackets would become megabytes of spaces. */
const deepest = 20

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gs

export interface JsonLine {
  text: string
  pointer: string
}

interface Level {
  pointer: string
  isList: boolean
  index: number
  name: string
}

/** Keeps each token: long integers, repeated members, their order. Undefined for invalid JSON. */
export function jsonLines(text: string): JsonLine[] | undefined {
  return parsed(text) === undefined ? undefined : indentedLines(text)
}

function indentedLines(text: string): JsonLine[] {
  const lines: JsonLine[] = []
  const levels: Level[] = []
  let line = { text: '', pointer: '' }
  let previous = ''
  const newLine = (pointer: string) => {
    lines.push(line)
    line = { text: '  '.repeat(Math.min(levels.length, deepest)), pointer }
  }
  for (const [piece] of text.matchAll(token)) {
    const level = levels.at(-1)
    const opened = previous === '{' || previous === '['
    if (piece === '}' || piece === ']') {
      levels.pop()
      if (!opened) newLine(level?.pointer ?? '')
    } else if (level && (opened || previous === ',')) {
      if (!level.isList) level.name = nameOf(piece)
      newLine(memberOf(level))
    }
    if (piece === ',' && level) level.index += 1
    line.text += piece === ':' ? ': ' : piece
    if (piece === '{' || piece === '[') {
      const pointer = level ? memberOf(level) : ''
      levels.push({ pointer, isList: piece === '[', index: 0, name: '' })
    }
    previous = piece
  }
  return [...lines, line]
}

const memberOf = ({ pointer, isList, index, name }: Level): string =>
  `${pointer}/${isList ? index : name.replaceAll('~', '~0').replaceAll('/', '~1')}`

const nameOf = (piece: string): string => {
  const name: unknown = JSON.parse(piece)
  return String(name)
}

/** The lines of the value at the pointer; otherwise of the nearest value around it, with `missing` set. */
export function linesAt(lines: readonly JsonLine[], pointer: string): { marked: Set<number>; missing: boolean } {
  let wanted = pointer
  for (;;) {
    const marked = lines.flatMap((line, index) =>
      line.pointer === wanted || line.pointer.startsWith(`${wanted}/`) ? [index] : [],
    )
    if (marked.length > 0 || wanted === '') return { marked: new Set(marked), missing: wanted !== pointer }
    wanted = wanted.slice(0, wanted.lastIndexOf('/'))
  }
}
