import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/**
 * A folder may import another one beside it. `folder/.` are the files directly in a folder.
 * @typedef {{ from: string, to: string, line: number }} Arrow line: in the page; 0 where it is not written there
 * @typedef {import('./read-imports.mjs').Finding} Finding
 */

export const page = 'docs/imports.md'
const list = /^(?<opening>```yaml imports\n)(?<arrows>[\s\S]*?)^```$/m

/**
 * Reads the arrows from the page that explains them, so that both cannot differ.
 * @param {string} root
 * @returns {{ arrows: Arrow[], lines: Map<string, number>, findings: Finding[] }} lines: each folder that the list speaks
 *   of, with its line; findings: what is no list
 */
export function readArrows(root) {
  const text = readFileSync(join(root, page), 'utf8')
  const found = list.exec(text)
  /** @type {Map<string, number>} */
  const lines = new Map()
  /** @type {Arrow[]} */
  const arrows = []
  /** @type {Finding[]} */
  const findings = []
  const { opening = '', arrows: block = '' } = found?.groups ?? {}
  if (!found)
    findings.push({
      file: page,
      line: 1,
      message: 'the list of imports is missing: a code block that starts with ```yaml imports',
    })
  const before = text.slice(0, (found?.index ?? 0) + opening.length).split('\n').length
  const written = block.split('\n')
  for (const [from, names] of Object.entries(parse(block) ?? {})) {
    const line = before + written.findIndex((each) => each.startsWith(`${from}:`))
    lines.set(from, line)
    if (!Array.isArray(names))
      findings.push({ file: page, line, message: `${from} needs a list, such as [one, other] or []` })
    else for (const name of names) arrows.push({ from, to: from.replace(/[^/]*$/, name), line })
  }
  return { arrows, lines, findings }
}
