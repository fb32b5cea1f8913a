/** Lints prose: the length of sentences, write-good, and the words of a table. */
import writeGood from 'write-good'

/** Prose that begins at a line of a file. A cell of a table has no sentences. @typedef {{ line: number, text: string, isCell?: boolean }} Passage */
/** @typedef {(text: string, report: (index: number, message: string) => void) => void} FindWords */

/** Maximum number of words in a sentence. */
const longest = 30

/** The list of cliches costs more time than all other checks: only documents are compared with it. */
const style = (/** @type {string} */ file) => ({
  ...{ passive: false, weasel: false, adverb: false, eprime: false },
  cliches: file.endsWith('.md'),
})

/** @returns {(file: string, passages: Passage[]) => string[]} */
export function proseLinter(
  /** @type {FindWords} */ findWords,
  /** @type {(file: string, word: string) => boolean} */ isPermitted,
) {
  return (file, passages) =>
    passages.flatMap(({ line, text, isCell = false }) => {
      const prose = withoutCode(text)
      // write-good treats a line as a sentence.
      const findings = isCell ? [] : [...longSentences(prose), ...writeGood(prose.replaceAll('\n', ' '), style(file))]
      findWords(prose, (index, reason) => findings.push({ index, reason }))
      return findings
        .filter(({ reason }) => !isPermitted(file, /^"([^"]*)"/.exec(reason)?.[1] ?? ''))
        .map(({ index, reason }) => `${file}:${line + prose.slice(0, index).split('\n').length - 1}: ${reason}`)
    })
}

/** @returns {{ index: number, reason: string }[]} */
function longSentences(/** @type {string} */ text) {
  let index = 0
  return text.split(/(?<=[.!?]["')*]*\s)/).flatMap((sentence) => {
    const start = index
    index += sentence.length
    const words = sentence.match(/"[^"]+"|\S+/g)?.length ?? 0
    return words > longest ? [{ index: start, reason: `a sentence of ${words} words, at most ${longest}` }] : []
  })
}

/** Replaces the values in a text by different placeholders, because write-good reports repeated words. Keeps the lines. */
const withoutCode = (/** @type {string} */ text) =>
  text
    .replace(/`[^`]*`|\$\{[^}]*\}/g, (code, offset) => `Code${offset}${code.replace(/[^\n]/g, '')}`)
    .replace(/https?:\S+/g, 'address')
    .replace(/<\/?[a-z][^>]*>/g, ' ')
    .replace(/[^\S\n]+/g, ' ')
