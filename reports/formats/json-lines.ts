/** Deeper levels are not indented further, or a few thousand brackets would become megabytes of blanks. */
const deepest = 20

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gs

/** One line of laid-out JSON: its text, and the JSON pointer of the value that begins, goes on or ends on it. */
export interface JsonLine {
  text: string
  pointer: string
}

/** A list or object that is open: where it stands, and which of its members comes next. */
interface Level {
  pointer: string
  isList: boolean
  index: number
  name: string
}

/**
 * JSON text laid out over lines, each token as it was sent: long integers, repeated members and their order stay what they
 * are, which parsing and printing would not keep. Undefined for what is not JSON.
 */
export function jsonLines(text: string): JsonLine[] | undefined {
  return isJson(text) ? layOut(text) : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function layOut(text: string): JsonLine[] {
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

/** Which lines show the value at the pointer; where there is none, those of the nearest value around it, with `missing` set. */
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
