/** Finds conditions on the words of messages: a code or a member must state what the program decides by. */

/** @typedef {import('./read-imports.mjs').Finding} Finding */

/**
 * The members of a node that are read here.
 * @typedef {{ type: string, start: number, name?: string, callee?: Node, object?: Node, property?: Node, expression?: Node,
 *   left?: Node, arguments?: Node[] }} Node
 */

/** Members and variables that contain words for people. */
const worded = /^(?:reason|message|sentence|what|why|detail|advice|because)s?$/i
const ofText = /^(?:startsWith|endsWith|includes|indexOf|match|matchAll|search)$/
const ofPattern = /^(?:test|exec)$/

/** Folders that may read them: words for people, and tests. @param {string} file */
export const mayReadWords = (file) => /^(?:reports\/wording|cli|test|tools|examples)\//.test(file)

/** `error.message`, `finding?.what`, `reason ?? ''`. @param {Node | undefined} node @returns {string | undefined} */
function wordsIn(node) {
  if (node?.type === 'Identifier') return worded.test(node.name ?? '') ? node.name : undefined
  if (node?.type === 'MemberExpression') return wordsIn(node.property)
  return node && wordsIn(node.expression ?? node.left)
}

/** @param {Node} node @returns {string | undefined} the name of the words that the call reads */
export function readWords({ type, callee, arguments: [first] = [] }) {
  if (type !== 'CallExpression' || callee?.type !== 'MemberExpression') return undefined
  const method = callee.property?.name ?? ''
  if (ofText.test(method)) return wordsIn(callee.object)
  return ofPattern.test(method) ? wordsIn(first) : undefined
}
