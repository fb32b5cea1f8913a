/**
 * Checks the prose of documents, suites and sources with write-good, and the words of prose and names against
 * tools/checks/words.yaml:
 *   node tools/checks/check-words.mjs [folder or file...]
 * Default: the whole project. Prints a line for each finding, with file and line, and then exits with 1.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { codePassages } from './words/code-passages.mjs'
import { dataPassages } from './words/data-passages.mjs'
import { proseLinter } from './words/lint-prose.mjs'
import { markdownPassages } from './words/markdown-passages.mjs'

const generated = ['docs/reference/mutation-report.md']

/** @typedef {{ pattern: string, use: string }} Word */
/** @type {{ words: Word[], names: Word[], terms: string[], exceptions: { file: string, word: string, reason: string }[] }} */
const { words, names, terms, exceptions } = parse(readFileSync(new URL('./words.yaml', import.meta.url), 'utf8'))
const wordsOf = (/** @type {string} */ pattern) => new RegExp(`\\b(?:${pattern.replaceAll(' ', '\\s+')})\\b`, 'gi')
const bannedWords = words.map(({ pattern, use }) => ({ regex: wordsOf(pattern), use }))
/** One search for all, because most texts have none. */
const anyWord = wordsOf(words.map(({ pattern }) => pattern).join('|'))
const nameOf = (/** @type {string} */ pattern) => new RegExp(`^(?:${pattern})$`, 'i')
const bannedNames = names.map(({ pattern, use }) => ({ regex: nameOf(pattern), use }))
const anyName = nameOf(names.map(({ pattern }) => pattern).join('|'))

const isException = (/** @type {string} */ file, /** @type {string} */ word) =>
  exceptions.some((each) => file.startsWith(each.file) && each.word === word.toLowerCase())

const lint = proseLinter(
  (text, report) => {
    const searched = withoutTerms(text)
    if (searched.search(anyWord) < 0) return
    for (const { regex, use } of bannedWords) {
      for (const { 0: word, index } of searched.matchAll(regex)) {
        report(index, `"${word}" is a private word; write: ${use}`)
      }
    }
  },
  (file, word) => terms.includes(word.toLowerCase()) || isException(file, word),
)

/** Terms of the field and names of options that contain a listed word. */
const withoutTerms = (/** @type {string} */ text) =>
  text.replace(/look-?up|late[-_]?look/gi, (term) => 'x'.repeat(term.length))

/** Splits each name into words. @returns {string[]} */
function nameFindings(/** @type {string} */ file, /** @type {import('./words/lint-prose.mjs').Passage[]} */ found) {
  return found.flatMap(({ line, text }) =>
    withoutTerms(text)
      .split(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+/)
      .filter((part) => anyName.test(part) && !isException(file, part))
      .flatMap((part) => bannedNames.filter(({ regex }) => regex.test(part)))
      .map(({ use }) => `${file}:${line}: the name ${text} has a private word; write: ${use}`),
  )
}

/** @returns {string[]} */
function findingsOf(/** @type {string} */ file) {
  const source = readFileSync(file, 'utf8')
  if (file.endsWith('.md')) return lint(file, markdownPassages(source))
  if (/\.(ya?ml|json)$/.test(file)) return lint(file, dataPassages(source))
  const code = codePassages(file, source)
  return [...lint(file, code.prose), ...nameFindings(file, code.names)]
}

const isChosen = (/** @type {string} */ file) =>
  process.argv.length === 2 || process.argv.slice(2).some((part) => file.startsWith(part.replace(/^\.\//, '')))
const kinds =
  /\.md$|\.(ts|tsx|mjs|cjs|mts)$|^suites\/.*\.yaml$|^(suites\/schema|record)\/.*\.json$|^interface\/openapi\.yaml$|^action\.yml$|^examples\/.*\.ya?ml$|^scripts\/words\.yaml$/
const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => kinds.test(file) && !generated.includes(file) && isChosen(file))
let count = 0
for (const file of files) {
  for (const finding of findingsOf(file)) {
    console.error(finding)
    count += 1
  }
}
console.log(`${files.length} documents, data files and sources: ${count || 'no'} findings`)
process.exitCode = count > 0 ? 1 : 0
