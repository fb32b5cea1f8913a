/** Splits the interface text (Markdown) into the passages that suites/outline.yaml names. */

/** Sentences by `SECTION > PASSAGE`. */
export type Passages = ReadonlyMap<string, string>

interface Section {
  name: string
  lines: string[]
}

/**
 * `text`: Markdown. The keys are those of the outline.
 * @example
 * const passages = passagesOf('## Limits (all)\n\nIds are short. Names are not.')
 * passages.get('Limits > paragraph 1.2') // 'Names are not.'
 */
export function passagesOf(text: string): Passages {
  const sections = sectionsOf(text)
  return new Map(
    sections.flatMap(({ name, lines }) => passagesIn(lines).map(([key, sentence]) => [`${name} > ${key}`, sentence])),
  )
}

function sectionsOf(text: string): Section[] {
  const sections: Section[] = []
  for (const line of text.split(/\r?\n/)) {
    const heading = /^(#+)\s+(.*?)\s*$/.exec(line)
    if (heading) sections.push({ name: heading[1] === '#' ? 'Introduction' : nameOf(heading[2] ?? ''), lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections
}

/** `1. POST /v2/...` is Endpoint 1; a remark in brackets is no part of the name. */
function nameOf(title: string): string {
  const endpoint = /^(\d+)\. [A-Z]+ \//.exec(title)
  return endpoint ? `Endpoint ${endpoint[1]}` : title.replace(/ \(.*\)$/, '')
}

type Passage = [name: string, sentence: string]

function passagesIn(lines: readonly string[]): Passage[] {
  const numbers = { paragraph: 0, item: 0 }
  let heads: string[] = []
  return lines.flatMap((line): Passage[] => {
    const rule = /^(\d+)\. (.*)$/.exec(line)
    if (rule) return numbered(`rule ${rule[1]}`, '.', rule[2] ?? '')
    if (line.startsWith('- ')) {
      numbers.item += 1
      return numbered(`item ${numbers.item}`, '.', line.slice(2))
    }
    if (line.startsWith('|')) {
      const cells = cellsOf(line)
      const isHead = heads.length === 0
      if (isHead) heads = cells.map((cell) => columnWords[cell] ?? cell.toLowerCase())
      return isHead || cells.every((cell) => /^:?-+:?$/.test(cell)) ? [] : rowPassages(heads, cells)
    }
    heads = []
    if (line.trim() === '') return []
    numbers.paragraph += 1
    return numbered(`paragraph ${numbers.paragraph}`, '.', line)
  })
}

const columnWords: Readonly<Record<string, string>> = { Rules: 'rule' }

const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))

/** The first column is the key. */
const rowPassages = (heads: readonly string[], [key = '', ...cells]: readonly string[]): Passage[] =>
  cells.flatMap((cell, index) => (cell === '' ? [] : numbered(`${key} ${heads[index + 1] ?? ''}`, ' ', cell)))

/** A single sentence has no number. */
function numbered(name: string, separator: string, text: string): Passage[] {
  const sentences = text.trim().split(/(?<=[.?!])\s+(?=[A-Z`{])/)
  return sentences.map((sentence, index) => [sentences.length > 1 ? `${name}${separator}${index + 1}` : name, sentence])
}
