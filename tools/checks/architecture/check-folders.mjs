/** Compares the imports of the sources with the permitted imports of the page. */
import { findCycles } from './find-cycles.mjs'
import { page } from './permitted-imports.mjs'

/**
 * @typedef {import('./read-imports.mjs').Import} Import
 * @typedef {import('./read-imports.mjs').Finding} Finding
 * @typedef {import('./permitted-imports.mjs').PermittedImport} PermittedImport
 */

/** @param {string} path */
const foldersOf = (path) => path.split('/').slice(0, -1)

/**
 * The siblings below which two files are: folders, or `folder/.` for a file directly in the shared folder.
 * @param {{ from: string, to: string }} link between files
 * @returns {{ from: string, to: string }} equal for files of one folder
 */
function siblingsOf({ from, to }) {
  const [here, there] = [foldersOf(from), foldersOf(to)]
  const differs = here.findIndex((part, index) => part !== there[index])
  const shared = here.slice(0, differs === -1 ? here.length : differs)
  const sibling = (/** @type {string[]} */ path) => [...shared, path[shared.length] ?? '.'].join('/')
  return { from: sibling(here), to: sibling(there) }
}

/**
 * @param {string[]} sources
 * @returns {Set<string>} every folder with sources, and `folder/.` if sources are directly in it
 */
function placesOf(sources) {
  const folders = sources.map(foldersOf)
  const direct = folders.map((parts) => [...parts, '.'].join('/'))
  return new Set([
    ...folders.flatMap((parts) => parts.map((_, index) => parts.slice(0, index + 1).join('/'))),
    ...direct,
  ])
}

/** @param {string} one @param {string} other */
const areSiblings = (one, other) => one !== other && foldersOf(one).join('/') === foldersOf(other).join('/')

/**
 * Whether the page has lines about the folder of the place. A folder without such lines has no rules inside.
 * @param {string} place
 * @param {Map<string, number>} lines
 */
const hasRules = (place, lines) => lines.has(place) || [...lines.keys()].some((listed) => areSiblings(place, listed))

/**
 * Implicit permissions: files directly in a folder may import all folders beside them.
 * @param {Set<string>} places
 * @param {Map<string, number>} lines
 * @returns {PermittedImport[]}
 */
function implicitImports(places, lines) {
  const files = [...places].filter((place) => place.endsWith('/.') && !lines.has(place) && hasRules(place, lines))
  return files.flatMap((from) => [...places].filter((to) => areSiblings(from, to)).map((to) => ({ from, to, line: 0 })))
}

/**
 * Also reports permissions that no import uses.
 * @param {{ sources: string[], imports: Import[] }} code
 * @param {{ permitted: PermittedImport[], lines: Map<string, number> }} list
 * @returns {Finding[]}
 */
export function checkFolders({ sources, imports }, { permitted, lines }) {
  const places = placesOf(sources)
  const all = [...permitted, ...implicitImports(places, lines)]
  const used = new Set()
  const findings = []
  for (const { from: file, line, to } of imports) {
    const step = siblingsOf({ from: file, to })
    const arrow = `${step.from} -> ${step.to}`
    used.add(arrow)
    if (step.from === step.to || !hasRules(step.from, lines)) continue
    if (all.some(({ from, to }) => from === step.from && to === step.to)) continue
    const place = lines.has(step.from) ? `${page}:${lines.get(step.from)}` : page
    findings.push({ file, line, message: `${place} does not permit ${arrow}: remove the import of ${to}` })
  }
  return [...findings, ...checkLines(places, lines), ...checkUse(permitted, places, used), ...checkCycles(all, lines)]
}

/** @param {Set<string>} places @param {Map<string, number>} lines @returns {Finding[]} */
function checkLines(places, lines) {
  const missing = [...places].filter((place) => !place.endsWith('/.') && !lines.has(place) && hasRules(place, lines))
  const unknown = [...lines].filter(([place]) => !places.has(place))
  return [
    ...missing.map((place) => ({ file: page, line: 1, message: `the list of imports has no line for ${place}` })),
    ...unknown.map(([place, line]) => ({ file: page, line, message: `${place} has no sources` })),
  ]
}

/** @param {PermittedImport[]} permitted @param {Set<string>} places @param {Set<string>} used @returns {Finding[]} */
const checkUse = (permitted, places, used) =>
  permitted
    .map(({ from, to, line }) => ({ arrow: `${from} -> ${to}`, to, line }))
    .filter(({ arrow, to }) => !places.has(to) || !used.has(arrow))
    .map(({ arrow, to, line }) => {
      const reason = places.has(to) ? 'no import uses it' : `${to} has no sources`
      return { file: page, line, message: `remove ${arrow}: ${reason}` }
    })

/** @param {PermittedImport[]} permitted @param {Map<string, number>} lines @returns {Finding[]} */
const checkCycles = (permitted, lines) =>
  findCycles(permitted, ({ from, to }) => [from, to]).map((cycle) => {
    const names = cycle.map(({ from }) => from)
    const message = `the permitted imports form a cycle: ${[...names, names[0]].join(' -> ')}`
    return { file: page, line: names.map((name) => lines.get(name)).find(Boolean) ?? 1, message }
  })

/**
 * Compares the uses of file content and the console with the places that the page permits. Without a list, all uses are permitted.
 * @param {import('./read-imports.mjs').ContentUse[]} uses
 * @param {string[] | undefined} places files and folders
 * @returns {Finding[]}
 */
export function checkContentUses(uses, places) {
  if (!places) return []
  const isIn = (/** @type {string} */ file, /** @type {string} */ place) =>
    file === place || file.startsWith(`${place}/`)
  const unused = places.filter((place) => !uses.some(({ file }) => isIn(file, place)))
  return [
    ...uses
      .filter(({ file }) => !places.some((place) => isIn(file, place)))
      .map(({ file, line, name }) => ({ file, line, message: `${name}: only the places in ${page} may use it` })),
    ...unused.map((place) => ({
      file: page,
      line: 1,
      message: `remove ${place}: it uses neither file content nor the console`,
    })),
  ]
}
