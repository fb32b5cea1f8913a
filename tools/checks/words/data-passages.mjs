/** Extracts prose from YAML and JSON files: comments, and members whose values are sentences. */
import { isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml'

/** @typedef {import('./lint-prose.mjs').Passage} Passage */

const prose = new Set([
  'title',
  'statement',
  'question',
  'answer',
  'reason',
  'summary',
  'description',
  'why',
  'sentence',
  'meaning',
  'besides',
  'untestable',
  'x-facts',
])

/** @returns {Passage[]} */
export function dataPassages(/** @type {string} */ source) {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines })
  /** @type {Passage[]} */
  const passages = source.startsWith('{') ? [] : commentPassages(source)
  visit(document, {
    Pair(_, pair) {
      if (!isPair(pair) || !isScalar(pair.key) || !isScalar(pair.value)) return
      if (!prose.has(String(pair.key.value)) || typeof pair.value.value !== 'string') return
      passages.push({ line: lines.linePos(pair.key.range?.[0] ?? 0).line, text: pair.value.value })
    },
  })
  return passages
}

/** Joins adjacent comment lines. @returns {Passage[]} */
function commentPassages(/** @type {string} */ source) {
  /** @type {Passage[]} */
  const passages = []
  let last = -1
  for (const [index, line] of source.split('\n').entries()) {
    const text = /^\s*# ?(.*)/.exec(line)?.[1]
    if (text === undefined) continue
    const open = passages.at(-1)
    if (open && last === index - 1 && text !== '') open.text += ` ${text}`
    else passages.push({ line: index + 1, text })
    last = index
  }
  return passages
}
