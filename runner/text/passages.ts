/** The interface text (Markdown): its passages, which suites/outline.yaml names, and quotes of them. */
import { sha256 } from '../../interface/crypto-hash.js'
import { readInput } from '../../lib/files/read-input.js'
import { UsageError } from '../../lib/usage-error.js'
import type { RecordedRule, RecordedText, RunHeader } from '../../record/types/record.js'

/** Sentences by `SECTION > PASSAGE`. */
export type Passages = ReadonlyMap<string, string>

interface Section {
  name: string
  lines: string[]
}

/**
 * `text`: Markdown. The keys are those of the outline.
 * @internal
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

/** `text`: of the suite or the record. Rejects with `UsageError` and `InputError`. */
export async function readPassages(file: string, text: RecordedText | undefined): Promise<Passages> {
  if (!text) throw new UsageError('text: neither the suite nor the record names an interface text to compare with')
  const bytes = await readInput(file, 'an interface text')
  const digest = sha256(bytes).toString('hex')
  if (digest !== text.digest)
    throw new UsageError(
      `text: ${file} has the digest ${digest}, but the outline belongs to ${text.title} (${text.version}) with the digest ${text.digest}; pass that file`,
    )
  return passagesOf(bytes.toString('utf8'))
}

/** Adds its sentence to each passage: `Limits 3.1 (size value): "..."`. */
export const quotedRules = (rules: readonly RecordedRule[], passages: Passages): RecordedRule[] =>
  rules.map((rule) => ({
    ...rule,
    ...(rule.passages && { passages: rule.passages.map((one) => quoted(one, passages)) }),
  }))

/** As `quotedRules`, for the rules and the text of a run. */
export function quotedHeader(header: RunHeader, passages: Passages): RunHeader {
  const { text } = header
  const unruled = text?.unruled?.map((one) => ({ ...one, passage: quoted(one.passage, passages) }))
  return {
    ...header,
    rules: quotedRules(header.rules, passages),
    ...(text && unruled && { text: { ...text, unruled } }),
  }
}

function quoted(place: string, passages: Passages): string {
  const [, section = '', name = ''] = /^(.*?)(?: \d+\.\d+)? \((.*)\)$/s.exec(place) ?? []
  const sentence = passages.get(`${section} > ${name}`)
  return sentence === undefined ? place : `${place}: "${sentence}"`
}
