/** Extracts prose from Markdown: headings, paragraphs, list items and cells of tables, without code and addresses of links. */

/** @typedef {import('./lint-prose.mjs').Passage} Passage */

const listItem = /^\s*(?:[-*]|\d+\.) /
const heading = /^#+ /
const tableLine = /^\s*\|/

/** @returns {Passage[]} */
export function markdownPassages(/** @type {string} */ source) {
  /** @type {Passage[]} */
  const passages = []
  let isOpen = false
  for (const [index, line] of withoutBlocks(source).split('\n').entries()) {
    const passage = { line: index + 1, text: proseOf(line) }
    if (tableLine.test(line)) passages.push({ ...passage, isCell: true })
    else if (isOpen && !listItem.test(line) && !heading.test(line) && line.trim() !== '')
      passages[passages.length - 1] = joined(passages.at(-1) ?? passage, passage)
    else passages.push(passage)
    isOpen = line.trim() !== '' && !heading.test(line) && !tableLine.test(line)
  }
  return passages.filter(({ text }) => text.trim() !== '')
}

/** @returns {Passage} */
const joined = (/** @type {Passage} */ first, /** @type {Passage} */ second) => ({
  ...first,
  text: `${first.text}\n${second.text}`,
})

/** Keeps the lines of code blocks and comments, without their text. */
const withoutBlocks = (/** @type {string} */ source) =>
  source.replace(/^( *)```[\s\S]*?^\1```$|<!--[\s\S]*?-->/gm, (block) => block.replace(/[^\n]/g, ''))

const proseOf = (/** @type {string} */ line) =>
  line
    .replace(listItem, '')
    .replace(heading, '')
    .replace(/\]\([^)\s]*\)/g, '')
    .replace(/\*\*|[[\]]/g, '')
