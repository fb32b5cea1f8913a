/** Lints prose with textlint: the length of sentences, write-good, and the words of a table. */
import { TextlintKernel } from '@textlint/kernel'
import markdownPlugin from '@textlint/textlint-plugin-markdown'
import textPlugin from '@textlint/textlint-plugin-text'
import maximumWords from 'textlint-rule-en-max-word-count'
import writeGood from 'textlint-rule-write-good'

/** @typedef {{ line: number, text: string }} Passage */
/** @typedef {(text: string, report: (index: number, message: string) => void) => void} FindWords */

/** Maximum number of words in a sentence. */
const longest = 30

const kernel = new TextlintKernel()
const plugins = [
  { pluginId: 'markdown', plugin: moduleOf(markdownPlugin) },
  { pluginId: 'text', plugin: moduleOf(textPlugin) },
]

/** @returns {(file: string, source: string | Passage[]) => Promise<string[]>} a string is Markdown */
export function proseLinter(
  /** @type {FindWords} */ findWords,
  /** @type {(file: string, word: string) => boolean} */ isPermitted,
) {
  return async (file, source) => {
    const isMarkdown = typeof source === 'string'
    const text = isMarkdown ? source : source.map(oneLine).join('\n')
    const { messages } = await kernel.lintText(text, {
      filePath: file,
      ext: isMarkdown ? '.md' : '.txt',
      plugins,
      rules: rulesOf(findWords),
    })
    const lineOf = (/** @type {number} */ line) => (isMarkdown ? line : source[line - 1]?.line)
    return messages
      .filter(({ message }) => !isPermitted(file, /^"([^"]*)"/.exec(message)?.[1] ?? ''))
      .map(({ line, message }) => `${file}:${lineOf(line)}: ${message}`)
  }
}

function rulesOf(/** @type {FindWords} */ findWords) {
  const style = { passive: false, weasel: false, adverb: false, eprime: false }
  return [
    { ruleId: 'sentence-length', rule: moduleOf(maximumWords), options: { max: longest } },
    { ruleId: 'write-good', rule: moduleOf(writeGood), options: style },
    { ruleId: 'words', rule: wordRule(findWords) },
  ]
}

/** A textlint rule that applies the word table to each piece of text outside code and addresses. */
function wordRule(/** @type {FindWords} */ findWords) {
  return (/** @type {any} the context of a rule */ { Syntax, RuleError, report, getSource }) => ({
    [Syntax.Str](/** @type {any} a node of the text */ node) {
      findWords(getSource(node), (index, message) => report(node, new RuleError(message, { index })))
    },
  })
}

/** Different placeholders for the values in a text, because write-good reports repeated words. */
function oneLine(/** @type {Passage} */ { text }) {
  return text
    .replace(/`[^`]*`|\$\{[^}]*\}/g, (_, offset) => `Code${offset}`)
    .replace(/https?:\S+/g, 'address')
    .replace(/<\/?[a-z][^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A CommonJS module that Babel or TypeScript compiled has its value in `default`. @returns {any} */
function moduleOf(/** @type {any} */ imported) {
  return imported.default ?? imported
}
