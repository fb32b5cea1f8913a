/** Reads imports, and uses of file content and of the console, from the sources of a project. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { mayReadWords, readWords } from './find-read-words.mjs'

/**
 * @typedef {{ from: string, line: number, to: string }} Import paths relative to the project, with `/`
 * @typedef {{ file: string, line: number, message: string }} Finding
 * @typedef {{ file: string, line: number, name: string }} ContentUse `name`: a function of node:fs for file content, or the console
 */

/**
 * The members of a node that are read here.
 * @typedef {{ type: string, start: number, name?: string, source?: { value?: unknown, start: number } | null,
 *   arguments?: { value?: unknown }[], object?: { name?: string }, property?: { name?: string },
 *   specifiers?: { type: string, start: number, imported?: { type: string, name: string } }[] }} Node
 */

const code = /\.[cm]?[jt]sx?$/
const skipped = /^(?:\.|node_modules$|dist$)/

/** @param {string} root */
function sourcesIn(root) {
  const folders = readdirSync(root, { withFileTypes: true }).filter((e) => e.isDirectory() && !skipped.test(e.name))
  return folders
    .flatMap(({ name }) =>
      readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((f) => join(name, f)),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => code.test(path) && !path.split('/').some((part) => skipped.test(part)))
    .sort()
}

/** All nodes. The visitor of the parser needs a later Node than the tests. @param {unknown} node @returns {Node[]} */
function nodesOf(node) {
  if (typeof node !== 'object' || node === null) return []
  const inside = Object.values(node).flatMap(nodesOf)
  return 'type' in node ? [/** @type {Node} */ (node), ...inside] : inside
}

/** Imports and exports of values and types, `import()`, and the type `import('x').T`. */
const importing = /^(?:Import(?:Declaration|Expression)|Export(?:Named|All)Declaration|TSImportType)$/
const fileSystem = /^(?:node:)?fs(?:\/promises)?$/
/** Functions that read, write or replace file content; not those that only read metadata. */
const content =
  /^(?:(?:read|write|append|copy|truncate)File|open|rename|truncate|create(?:Read|Write)Stream|cp|copyFile|link)(?:Sync)?$/

/** @param {{ value?: unknown } | null | undefined} name */
const isFileSystem = (name) => typeof name?.value === 'string' && fileSystem.test(name.value)

/** Imported functions for file content. @param {Node} node @returns {{ start: number, name: string }[]} */
function importedContent({ type, source, specifiers = [] }) {
  if (type !== 'ImportDeclaration' || !isFileSystem(source)) return []
  return specifiers.flatMap(({ type, start, imported }) => {
    const name = type === 'ImportSpecifier' && imported?.type === 'Identifier' ? imported.name : undefined
    return name !== undefined && !content.test(name) ? [] : [{ start, name: `${name ?? 'everything'} of node:fs` }]
  })
}

/** Other access to node:fs, such as `import()`, exports and `require`, and to the console. @param {Node} node @returns {string | undefined} */
function otherUse({ type, source, arguments: given, name, object, property }) {
  if (/^(?:ImportExpression|Export(?:Named|All)Declaration)$/.test(type) && isFileSystem(source))
    return 'everything of node:fs'
  if (/^(?:Call|New)Expression$/.test(type) && isFileSystem(given?.[0])) return 'everything of node:fs'
  if (type === 'Identifier' && name === 'console') return 'console'
  if (type === 'MemberExpression' && object?.name === 'process' && /^std(?:out|err)$/.test(property?.name ?? ''))
    return 'a stream of the process'
  const isModule =
    /^Import(?:Declaration|Expression)$/.test(type) && /^(?:node:)?(?:console|process)$/.test(String(source?.value))
  return isModule ? 'the module' : undefined
}

/**
 * @param {string} from
 * @param {string} name as written, relative
 * @param {Set<string>} sources
 * @returns {string | undefined} the source of the name; a compiled file means its source
 */
function resolve(from, name, sources) {
  const path = posix.join(posix.dirname(from), name).replace(/^dist\//, '')
  const candidates = [path, ...['.ts', '.tsx', '.d.ts'].map((ending) => path.replace(/\.js$/, ending))]
  candidates.push(path.replace(/\.cjs$/, '.d.cts'))
  return candidates.find((candidate) => sources.has(candidate))
}

/**
 * @param {string} file
 * @param {string} text
 * @param {Set<string>} sources
 * @returns {{ imports: Import[], uses: ContentUse[], findings: Finding[] }}
 */
function importsOf(file, text, sources) {
  /** @type {Import[]} */
  const imports = []
  /** @type {Finding[]} */
  const findings = []
  const lineOf = (/** @type {number} */ offset) => text.slice(0, offset).split('\n').length
  const { program, errors } = parseSync(file, text)
  if (errors[0]) {
    const line = lineOf(errors[0].labels[0]?.start ?? 0)
    findings.push({ file, line, message: `cannot be read: ${errors[0].message}` })
  }
  const nodes = nodesOf(program)
  for (const { type, source } of nodes) {
    if (!importing.test(type) || !source) continue
    const { value } = source
    const line = lineOf(source.start)
    if (typeof value !== 'string') {
      // Tests may import everything, so they may compute names.
      const message = 'import() needs a literal name, because a computed name cannot be checked'
      if (!file.startsWith('test/')) findings.push({ file, line, message })
    } else if (value.startsWith('.')) {
      const to = resolve(file, value, sources)
      const isData = /\.\w+$/.test(value) && !code.test(value)
      if (to !== undefined) imports.push({ from: file, line, to })
      else if (!isData) findings.push({ file, line, message: `${value} is not a source of this project` })
    }
  }
  for (const node of mayReadWords(file) ? [] : nodes) {
    const name = readWords(node)
    if (name === undefined) continue
    const message = `a condition reads the words of ${name}: use a code, or a member with the fact`
    findings.push({ file, line: lineOf(node.start), message })
  }
  const uses = nodes.flatMap((node) => {
    const name = otherUse(node)
    return [...importedContent(node), ...(name === undefined ? [] : [{ start: node.start, name }])]
  })
  return { imports, uses: uses.map(({ start, name }) => ({ file, line: lineOf(start), name })), findings }
}

/**
 * Reads all sources below the top-level folders, without packages and data.
 * @param {string} root
 * @returns {{ sources: string[], imports: Import[], uses: ContentUse[], findings: Finding[] }} findings: unresolved imports, and conditions on words
 */
export function readImports(root) {
  const sources = sourcesIn(root)
  const known = new Set(sources)
  const read = sources.map((file) => importsOf(file, readFileSync(join(root, file), 'utf8'), known))
  return {
    sources,
    imports: read.flatMap((each) => each.imports),
    uses: read.flatMap((each) => each.uses),
    findings: read.flatMap((each) => each.findings),
  }
}
