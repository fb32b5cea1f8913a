/** Reads the lists of docs/imports.md. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/**
 * A folder may import a sibling folder. `folder/.` means the files directly in a folder.
 * @typedef {{ from: string, to: string, line: number }} PermittedImport line: in the page; 0 for an implicit permission
 * @typedef {import('./read-imports.mjs').Finding} Finding
 */

export const page = 'docs/imports.md'

/**
 * @param {string} root
 * @returns {{ permitted: PermittedImport[], lines: Map<string, number>, findings: Finding[] }} lines: the line of each listed folder;
 *   findings: errors of the list
 */
export function readPermittedImports(root) {
  const text = readFileSync(join(root, page), 'utf8')
  const list = /^(?<opening>```yaml imports\n)(?<entries>[\s\S]*?)^```$/m.exec(text)
  /** @type {Map<string, number>} */
  const lines = new Map()
  /** @type {PermittedImport[]} */
  const permitted = []
  /** @type {Finding[]} */
  const findings = []
  if (!list) {
    const message = 'the list of imports is missing: a code block that starts with ```yaml imports'
    findings.push({ file: page, line: 1, message })
  }
  const { opening = '', entries = '' } = list?.groups ?? {}
  const before = text.slice(0, (list?.index ?? 0) + opening.length).split('\n').length
  const written = entries.split('\n')
  for (const [from, names] of Object.entries(parse(entries) ?? {})) {
    const line = before + written.findIndex((each) => each.startsWith(`${from}:`))
    lines.set(from, line)
    if (!Array.isArray(names))
      findings.push({ file: page, line, message: `${from} needs a list, such as [one, other] or []` })
    else for (const name of names) permitted.push({ from, to: from.replace(/[^/]*$/, name), line })
  }
  return { permitted, lines, findings }
}

/** @param {string} root @returns {string[] | undefined} files and folders that may use file content and the console */
export function readContentPlaces(root) {
  const list = /^```yaml file content\n(?<places>[\s\S]*?)^```$/m.exec(readFileSync(join(root, page), 'utf8'))
  return list ? Object.keys(parse(list.groups?.['places'] ?? '') ?? {}) : undefined
}
