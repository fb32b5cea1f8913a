/** Extracts prose and names from sources: comments, strings of several words, test titles, and identifiers. */
import { parseSync } from 'oxc-parser'

/** @typedef {import('./lint-prose.mjs').Passage} Passage */
/** @typedef {{ type: string, start: number, [key: string]: any }} Node the parser has no common node type */

/** @returns {{ prose: Passage[], names: Passage[] }} each name once */
export function codePassages(/** @type {string} */ file, /** @type {string} */ source) {
  const { program, comments } = parseSync(file, source)
  const lineAt = lineFinder(source)
  const prose = comments.map(({ start, value }) => ({ line: lineAt(start), text: commentText(value) }))
  /** @type {Map<string, number>} */
  const names = new Map([[fileName(file), 1]])
  visitNodes(program, (node) => {
    const name = node.type === 'Identifier' || node.type === 'PrivateIdentifier' ? node['name'] : undefined
    if (typeof name === 'string' && !names.has(name)) names.set(name, lineAt(node.start))
    const text = file.startsWith('test/') ? titleOf(node) : stringOf(node)
    for (const [index, part] of (text ?? '').split('\n').entries()) {
      if (/\p{L},?\s+\p{L}/u.test(part)) prose.push({ line: lineAt(node.start) + index, text: part })
    }
  })
  return { prose, names: [...names].map(([text, line]) => ({ line, text })) }
}

const fileName = (/** @type {string} */ file) => file.replace(/^.*\/|\.[^/]*$/g, '')

/** Removes stars. A list item and a tag such as `@param` begin a sentence. */
const commentText = (/** @type {string} */ value) =>
  value
    .replace(/^\*/, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/^- /gm, '. ')
    .replace(/@typedef \{.*\} \w+/gs, '.')
    .replace(/@\w+(?: \{[^}]*\})?/g, '.')

/** In tests, titles and messages of assertions are prose, and other strings are data. @returns {string | undefined} */
function titleOf(/** @type {Node} */ { type, callee, arguments: given = [] }) {
  if (type !== 'CallExpression') return undefined
  const title = callee.property?.name === 'test' ? given[0] : undefined
  const message = callee.object?.name === 't' && given.length > 1 ? given.at(-1) : undefined
  return [title, message].map((node) => node && stringOf(node)).find((text) => text !== undefined)
}

/** Each value in a template counts as code. @returns {string | undefined} */
function stringOf(/** @type {Node} */ { type, value, quasis }) {
  if (type === 'Literal' && typeof value === 'string') return value
  if (type === 'JSXText') return value.replace(/\s+/g, ' ')
  if (type !== 'TemplateLiteral') return undefined
  return quasis.map((/** @type {any} */ quasi) => quasi.value.cooked ?? '').join('`value`')
}

/** Visits all nodes outside import declarations. */
function visitNodes(/** @type {unknown} */ node, /** @type {(node: Node) => void} */ visit) {
  if (Array.isArray(node)) for (const child of node) visitNodes(child, visit)
  else if (typeof node === 'object' && node !== null && 'type' in node && node.type !== 'ImportDeclaration') {
    visit(/** @type {Node} */ (node))
    for (const child of Object.values(node)) if (typeof child === 'object') visitNodes(child, visit)
  }
}

function lineFinder(/** @type {string} */ source) {
  const starts = [...source.matchAll(/^/gm)].map(({ index }) => index)
  return (/** @type {number} */ offset) => starts.findLastIndex((start) => start <= offset) + 1
}
