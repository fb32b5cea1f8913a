import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { page } from './permitted-imports.mjs'

/**
 * @typedef {import('./read-imports.mjs').Finding} Finding
 * @typedef {{ file: string, line: number, name: string }} ContentUse a function of node:fs for the content of files, or the console, and who names it
 */

const list = /^```yaml file content\n(?<places>[\s\S]*?)^```$/m

/**
 * Holds the sources that read or write the content of files against the page, which says who may, and why. A page without such a
 * list allows everybody.
 * @param {string} root
 * @param {ContentUse[]} uses
 * @returns {Finding[]}
 */
export function holdContent(root, uses) {
  const found = list.exec(readFileSync(join(root, page), 'utf8'))
  if (!found) return []
  const places = Object.keys(parse(found.groups?.['places'] ?? '') ?? {})
  const isBelow = (/** @type {string} */ file, /** @type {string} */ place) =>
    file === place || file.startsWith(`${place}/`)
  const idle = places.filter((place) => !uses.some(({ file }) => isBelow(file, place)))
  return [
    ...uses
      .filter(({ file }) => !places.some((place) => isBelow(file, place)))
      .map(({ file, line, name }) => ({
        file,
        line,
        message: `${name}: only the places in ${page} may use it`,
      })),
    ...idle.map((place) => ({
      file: page,
      line: 1,
      message: `remove ${place}: it uses neither file content nor the console`,
    })),
  ]
}
