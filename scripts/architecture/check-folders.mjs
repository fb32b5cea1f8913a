import { findCircles } from './find-cycles.mjs'
import { page } from './permitted-imports.mjs'

/**
 * @typedef {import('./read-imports.mjs').Import} Import
 * @typedef {import('./read-imports.mjs').Finding} Finding
 * @typedef {import('./permitted-imports.mjs').Arrow} Arrow
 */

/** @param {string} path */
const foldersOf = (path) => path.split('/').slice(0, -1)

/**
 * The two places at which the ways to two files part: folders beside one another, or one and the files beside it.
 * @param {{ from: string, to: string }} link between files
 * @returns {{ from: string, to: string }} the same place twice for files of one folder
 */
function partingOf({ from, to }) {
  const [here, there] = [foldersOf(from), foldersOf(to)]
  const differs = here.findIndex((part, index) => part !== there[index])
  const shared = here.slice(0, differs === -1 ? here.length : differs)
  const place = (/** @type {string[]} */ path) => [...shared, path[shared.length] ?? '.'].join('/')
  return { from: place(here), to: place(there) }
}

/**
 * @param {string[]} sources
 * @returns {Set<string>} every folder with sources, and `folder/.` for those with sources of their own
 */
function placesOf(sources) {
  const folders = sources.map(foldersOf)
  const own = folders.map((parts) => [...parts, '.'].join('/'))
  return new Set([...folders.flatMap((parts) => parts.map((_, index) => parts.slice(0, index + 1).join('/'))), ...own])
}

/**
 * @param {string} one
 * @param {string} other
 */
const areBeside = (one, other) => one !== other && foldersOf(one).join('/') === foldersOf(other).join('/')

/**
 * A folder about whose inside the page has no line is one whole: what is in it imports as it likes.
 * @param {string} place
 * @param {Map<string, number>} lines
 * @returns {boolean} whether the page has lines about the folder that the place is in
 */
const isDivided = (place, lines) => lines.has(place) || [...lines.keys()].some((written) => areBeside(place, written))

/**
 * What need not be written: the files directly in a folder are what puts its folders together, and may import all of them.
 * @param {Set<string>} places
 * @param {Map<string, number>} lines
 * @returns {Arrow[]}
 */
function unwritten(places, lines) {
  const assembling = [...places].filter((place) => place.endsWith('/.') && !lines.has(place) && isDivided(place, lines))
  return assembling.flatMap((from) =>
    [...places].filter((to) => areBeside(from, to)).map((to) => ({ from, to, line: 0 })),
  )
}

/**
 * Holds the imports against the arrows, and the arrows against the imports: one that nothing needs is a door left open.
 * @param {{ sources: string[], imports: Import[] }} code
 * @param {{ arrows: Arrow[], lines: Map<string, number> }} written
 * @returns {Finding[]}
 */
export function holdArrows({ sources, imports }, { arrows, lines }) {
  const places = placesOf(sources)
  const allowed = [...arrows, ...unwritten(places, lines)]
  const used = new Set()
  const findings = []
  for (const { from: file, line, to } of imports) {
    const step = partingOf({ from: file, to })
    const arrow = `${step.from} -> ${step.to}`
    used.add(arrow)
    if (step.from === step.to || !isDivided(step.from, lines)) continue
    if (allowed.some(({ from, to }) => from === step.from && to === step.to)) continue
    const place = lines.has(step.from) ? `${page}:${lines.get(step.from)}` : page
    findings.push({ file, line, message: `${place} does not permit ${arrow}: remove the import of ${to}` })
  }
  return [...findings, ...wrongLines(places, lines), ...wrongArrows(arrows, places, used), ...circlesOf(allowed, lines)]
}

/**
 * @param {Set<string>} places
 * @param {Map<string, number>} lines
 * @returns {Finding[]}
 */
function wrongLines(places, lines) {
  const missing = [...places].filter((place) => !place.endsWith('/.') && !lines.has(place) && isDivided(place, lines))
  const unknown = [...lines].filter(([place]) => !places.has(place))
  return [
    ...missing.map((place) => ({ file: page, line: 1, message: `the list of imports has no line for ${place}` })),
    ...unknown.map(([place, line]) => ({ file: page, line, message: `${place} has no sources` })),
  ]
}

/**
 * @param {Arrow[]} arrows
 * @param {Set<string>} places
 * @param {Set<string>} used
 * @returns {Finding[]}
 */
function wrongArrows(arrows, places, used) {
  return arrows
    .map(({ from, to, line }) => ({ arrow: `${from} -> ${to}`, to, line }))
    .filter(({ arrow, to }) => !places.has(to) || !used.has(arrow))
    .map(({ arrow, to, line }) => {
      const why = places.has(to) ? 'no import uses it' : `${to} has no sources`
      return { file: page, line, message: `remove ${arrow}: ${why}` }
    })
}

/**
 * @param {Arrow[]} arrows
 * @param {Map<string, number>} lines
 * @returns {Finding[]}
 */
function circlesOf(arrows, lines) {
  return findCircles(arrows, ({ from, to }) => [from, to]).map((circle) => {
    const names = circle.map(({ from }) => from)
    const message = `the permitted imports form a cycle: ${[...names, names[0]].join(' -> ')}`
    return { file: page, line: names.map((name) => lines.get(name)).find(Boolean) ?? 1, message }
  })
}
