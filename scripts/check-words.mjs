/**
 * Checks the prose of documents and suites against scripts/words.yaml, and the length of their sentences:
 *   node scripts/check-words.mjs [project]
 * Prints a line for each finding, with file and line, and exits with 1 if there is one. Generated tables are not prose.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isPair, isScalar, LineCounter, parse, parseDocument, visit } from 'yaml'

/** Words; a longer sentence is split. */
const longest = 30
const generated = ['docs/coverage.md', 'docs/mutation-report.md', 'docs/explored-mutants.md']
/** Members of suite files whose values are sentences. */
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
])

const root = process.argv[2] ?? '.'
/** @type {{ words: { pattern: string, use: string }[], exceptions: { file: string, word: string }[] }} */
const { words, exceptions } = parse(readFileSync(new URL('./words.yaml', import.meta.url), 'utf8'))
const banned = words.map(({ pattern, use }) => ({ regex: new RegExp(`\\b(?:${pattern})\\b`, 'gi'), use }))
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const segments = new Intl.Segmenter('en', { granularity: 'word' })

/** @typedef {{ file: string, line: number, text: string }} Passage */

/** Paragraphs, list items and headings; without code, tables, links' addresses and front matter. @returns {Passage[]} */
function markdownPassages(/** @type {string} */ file) {
  const text = readFileSync(join(root, file), 'utf8').replace(/^ *```[\s\S]*?^ *```/gm, (block) =>
    block.replace(/[^\n]/g, ''),
  )
  const passages = []
  let open = { file, line: 0, text: '' }
  for (const [index, line] of text.split('\n').entries()) {
    const isItem = /^\s*(?:[-*]|\d+\.|#+|>)\s/.test(line)
    if (line.trim() === '' || isItem || /^\s*\|/.test(line)) {
      if (open.text) passages.push(open)
      open = { file, line: index + 1, text: '' }
    }
    if (/^\s*\|/.test(line)) continue
    open.text += `${line.replace(/^\s*(?:[-*]|\d+\.|#+|>)\s/, '')} `
  }
  if (open.text) passages.push(open)
  return passages.map((passage) => ({ ...passage, text: plain(passage.text) }))
}

/** Code counts as one word, a link as its words. */
const plain = (/** @type {string} */ text) =>
  text
    .replace(/`[^`]*`/g, 'Code')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/https?:\S+/g, 'address')

/** @returns {Passage[]} */
function suitePassages(/** @type {string} */ file) {
  const lines = new LineCounter()
  const document = parseDocument(readFileSync(join(root, file), 'utf8'), { lineCounter: lines })
  /** @type {Passage[]} */
  const passages = []
  visit(document, {
    Pair(_, pair) {
      if (!isPair(pair) || !isScalar(pair.key) || !isScalar(pair.value)) return
      if (!prose.has(String(pair.key.value)) || typeof pair.value.value !== 'string') return
      const { line } = lines.linePos(pair.key.range?.[0] ?? 0)
      passages.push({ file, line, text: plain(pair.value.value) })
    },
  })
  return passages
}

const countWords = (/** @type {string} */ text) =>
  [...segments.segment(text)].filter(({ isWordLike }) => isWordLike).length

/** @returns {string[]} */
function findingsOf(/** @type {Passage} */ { file, line, text }) {
  const bannedHere = banned.flatMap(({ regex, use }) =>
    [...text.matchAll(regex)]
      .filter(([word]) => !exceptions.some((each) => each.file === file && each.word === word.toLowerCase()))
      .map(([word]) => `${file}:${line}: "${word}" is a private word; write: ${use}`),
  )
  const long = [...sentences.segment(text)]
    .map(({ segment }) => ({ segment: segment.trim(), count: countWords(segment) }))
    .filter(({ count }) => count > longest)
    .map(({ segment, count }) => `${file}:${line}: a sentence of ${count} words: ${segment.slice(0, 80)}...`)
  return [...bannedHere, ...long]
}

/** @returns {string[]} files below the folder, with `/` */
const filesBelow = (/** @type {string} */ folder, /** @type {string} */ ending) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort()

const documents = ['README.md', 'CONTRIBUTING.md', ...filesBelow('docs', '.md'), ...filesBelow('suites', '.md')]
const markdown = documents.filter((file) => !generated.includes(file))
const suites = filesBelow('suites', '.yaml')
const passages = [...markdown.flatMap(markdownPassages), ...suites.flatMap(suitePassages)]
const findings = passages.flatMap(findingsOf)
for (const finding of findings) console.error(finding)
console.log(`${markdown.length} documents, ${suites.length} suite files: ${findings.length || 'no'} findings`)
process.exitCode = findings.length > 0 ? 1 : 0
