import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'

/**
 * One import, from where it stands to the source that it names.
 * @typedef {{ from: string, line: number, to: string }} Import
 *   paths relative to the project, with `/`
 * @typedef {{ file: string, line: number, message: string }} Finding
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

/**
 * Every place of a program that names another file: imports and exports of values and of types, `import()`, and the
 * type `import('x').T`. Walks without the parser's own visitor, which needs a later Node than the tests do.
 * @param {unknown} node
 * @returns {{ value?: unknown, start: number }[]} the nodes that hold the name; without a value where it is made as it runs
 */
function namesOfFiles(node) {
  if (typeof node !== 'object' || node === null) return []
  const inside = Object.values(node).flatMap(namesOfFiles)
  const named = /^(?:Import(?:Declaration|Expression)|Export(?:Named|All)Declaration|TSImportType)$/
  const { type, source } = /** @type {{ type: string, source?: { value?: unknown, start: number } }} */ (node)
  return named.test(type) && source ? [source, ...inside] : inside
}

const fileSystem = /^(?:node:)?fs(?:\/promises)?$/
/** What reads or writes the content of a file, or puts another in its place; what only asks about files is not in it. */
const content =
  /^(?:(?:read|write|append|copy|truncate)File|open|rename|truncate|create(?:Read|Write)Stream|cp|copyFile|link)(?:Sync)?$/

/**
 * @param {string} file
 * @param {import('oxc-parser').Program} program
 * @param {(offset: number) => number} lineOf
 * @returns {import('./check-restricted.mjs').ContentUse[]}
 */
function contentUses(file, program, lineOf) {
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ImportDeclaration' || !fileSystem.test(statement.source.value)) return []
    return statement.specifiers.flatMap((specifier) => {
      const isNamed = specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier'
      const name = isNamed ? specifier.imported.name : 'everything'
      return isNamed && !content.test(name) ? [] : [{ file, line: lineOf(specifier.start), name: `${name} of node:fs` }]
    })
  })
}

/**
 * Other ways to node:fs: `import()`, exports from it, and each call with its name, such as that of `require` or `getBuiltinModule`.
 * @param {string} file
 * @param {unknown} node
 * @param {(offset: number) => number} lineOf
 * @returns {import('./check-restricted.mjs').ContentUse[]}
 */
function moduleUses(file, node, lineOf) {
  if (typeof node !== 'object' || node === null) return []
  const inside = Object.values(node).flatMap((child) => moduleUses(file, child, lineOf))
  const {
    type,
    source,
    arguments: given,
    start,
  } = /** @type {{ type: string, source?: { value?: unknown }, arguments?: { value?: unknown }[], start: number }} */ (
    node
  )
  const isNamed = /^(?:ImportExpression|Export(?:Named|All)Declaration)$/.test(type) && isFileSystem(source)
  const isCalled = /^(?:Call|New)Expression$/.test(type) && isFileSystem(given?.[0])
  return isNamed || isCalled ? [{ file, line: lineOf(start), name: 'everything of node:fs' }, ...inside] : inside
}

const isFileSystem = (/** @type {{ value?: unknown } | null | undefined} */ name) =>
  typeof name?.value === 'string' && fileSystem.test(name.value)

/**
 * The console, and the streams of the process, wherever a program names them.
 * @param {string} file
 * @param {unknown} node
 * @param {(offset: number) => number} lineOf
 * @returns {import('./check-restricted.mjs').ContentUse[]}
 */
function streamUses(file, node, lineOf) {
  if (typeof node !== 'object' || node === null) return []
  const inside = Object.values(node).flatMap((child) => streamUses(file, child, lineOf))
  const { type, name, object, property, source, start } =
    /** @type {{ type: string, name?: string, object?: { name?: string }, property?: { name?: string }, source?: { value?: unknown }, start: number }} */ (
      node
    )
  const isConsole = type === 'Identifier' && name === 'console'
  const isStream =
    type === 'MemberExpression' && object?.name === 'process' && /^std(?:out|err)$/.test(property?.name ?? '')
  const isModule =
    /^Import(?:Declaration|Expression)$/.test(type) && /^(?:node:)?(?:console|process)$/.test(String(source?.value))
  return isConsole || isStream || isModule
    ? [
        {
          file,
          line: lineOf(start),
          name: isConsole ? 'console' : isStream ? 'a stream of the process' : 'the module',
        },
        ...inside,
      ]
    : inside
}

/**
 * @param {string} from
 * @param {string} name as written, relative
 * @param {Set<string>} sources
 * @returns {string | undefined} the source that TypeScript and Node would take; compiled files stand for theirs
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
 * @returns {{ imports: Import[], uses: import('./check-restricted.mjs').ContentUse[], findings: Finding[] }}
 */
function importsOf(file, text, sources) {
  /** @type {Import[]} */
  const imports = []
  /** @type {Finding[]} */
  const findings = []
  const note = (/** @type {number} */ line, /** @type {string} */ message) => findings.push({ file, line, message })
  const lineOf = (/** @type {number} */ offset) => text.slice(0, offset).split('\n').length
  const { program, errors } = parseSync(file, text)
  if (errors[0]) note(lineOf(errors[0].labels[0]?.start ?? 0), `cannot be read: ${errors[0].message}`)
  for (const { value, start } of namesOfFiles(program)) {
    const line = lineOf(start)
    if (typeof value !== 'string') {
      // Tests may import everything, so what they make up as they run breaks no arrow.
      if (!file.startsWith('test/')) note(line, 'import() of a name made as it runs cannot be checked: write it out')
    } else if (value.startsWith('.')) {
      const to = resolve(file, value, sources)
      const isData = /\.\w+$/.test(value) && !code.test(value)
      if (to !== undefined) imports.push({ from: file, line, to })
      else if (!isData) note(line, `${value} is no source of this project`)
    }
  }
  const uses = [contentUses, moduleUses, streamUses].flatMap((usesOf) => usesOf(file, program, lineOf))
  return { imports, uses, findings }
}

/**
 * Reads all sources below the top-level folders of a project. Packages and data are left out: they import nothing of ours.
 * @param {string} root
 * @returns {{ sources: string[], imports: Import[], uses: import('./check-restricted.mjs').ContentUse[], findings: Finding[] }}
 *   findings: imports that cannot be followed
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
