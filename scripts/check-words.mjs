/**
 * Checks the words of documents, suites and sources against scripts/words.yaml, and the length of sentences:
 *   node scripts/check-words.mjs [folder or file...]
 * Default: the whole project. Prints a line for each finding, with file and line, and then exits with 1.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isPair, isScalar, LineCounter, parse, parseDocument, visit } from 'yaml'
import { codePassages } from './words/code-passages.mjs'

/** Maximum number of words in a sentence. */
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

const root = '.'
/** @type {{ words: Word[], names: Word[], exceptions: { file: string, word: string, reason: string }[] }} */
const { words, names, exceptions } = parse(readFileSync(new URL('./words.yaml', import.meta.url), 'utf8'))
const bannedWords = words.map(({ pattern, use }) => ({ regex: new RegExp(`\\b(?:${pattern})\\b`, 'gi'), use }))
const bannedNames = names.map(({ pattern, use }) => ({ regex: new RegExp(`^(?:${pattern})$`, 'i'), use }))
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const segments = new Intl.Segmenter('en', { granularity: 'word' })

/** @typedef {{ file: string, line: number, text: string }} Passage */
/** @typedef {{ pattern: string, use: string }} Word */

/** Paragraphs, list items and headings, without code, tables and addresses. @returns {Passage[]} */
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

/** Code counts as one word; a link counts as its text. */
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

const isException = (/** @type {string} */ file, /** @type {string} */ word) =>
  exceptions.some((each) => file.startsWith(each.file) && each.word === word.toLowerCase())

/** @returns {string[]} */
function proseFindings(/** @type {Passage} */ { file, line, text }) {
  const bannedHere = bannedWords.flatMap(({ regex, use }) =>
    [...withoutTerms(text).matchAll(regex)]
      .filter(([word]) => !isException(file, word))
      .map(([word]) => `${file}:${line}: "${word}" is a private word; write: ${use}`),
  )
  const long = [...sentences.segment(text)]
    .map(({ segment }) => ({ segment: segment.trim(), count: countWords(segment) }))
    .filter(({ count }) => count > longest)
    .map(({ segment, count }) => `${file}:${line}: a sentence of ${count} words: ${segment.slice(0, 80)}...`)
  return [...bannedHere, ...long]
}

/** Terms of the field and names of options that contain a listed word. */
const withoutTerms = (/** @type {string} */ text) => text.replace(/look-?up|late[-_]?look/gi, 'term')

/** Splits a name into words. `lookUp` is a term of the field, and `lateLook` is an option. @returns {string[]} */
function nameFindings(/** @type {Passage} */ { file, line, text }) {
  const parts = withoutTerms(text).split(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+/)
  return parts.flatMap((part) =>
    bannedNames
      .filter(({ regex }) => regex.test(part) && !isException(file, part))
      .map(({ use }) => `${file}:${line}: the name ${text} has a private word; write: ${use}`),
  )
}

const isChosen = (/** @type {string} */ file) =>
  process.argv.length === 2 || process.argv.slice(2).some((part) => file.startsWith(part.replace(/^\.\//, '')))
const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8', cwd: root }).trim().split('\n')
/** @returns {string[]} */
const chosen = (/** @type {RegExp} */ pattern) => tracked.filter((file) => pattern.test(file) && isChosen(file))

const markdown = chosen(/^(README|CONTRIBUTING)\.md$|^(docs|suites)\/.*\.md$/).filter(
  (file) => !generated.includes(file),
)
const suites = chosen(/^suites\/.*\.yaml$/)
const sources = chosen(/\.(ts|tsx|mjs)$/)
const read = sources.map((file) => codePassages(root, file))
const findings = [
  ...[...markdown.flatMap(markdownPassages), ...suites.flatMap(suitePassages)].flatMap(proseFindings),
  ...read.flatMap(({ prose }) => prose).flatMap(proseFindings),
  ...read.flatMap(({ names }) => names).flatMap(nameFindings),
]
for (const finding of findings) console.error(finding)
console.log(
  `${markdown.length} documents, ${suites.length} suite files, ${sources.length} sources: ${findings.length || 'no'} findings`,
)
process.exitCode = findings.length > 0 ? 1 : 0
