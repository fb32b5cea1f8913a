/**
 * Reads the sources as they are written, imports of types included, and compares them with docs/imports.md:
 *   node scripts/check-architecture.mjs [project]
 * No file may import itself through other files, folders import only the folders that the page permits, and only the places that
 * the page lists read or write the content of files, or name the console. Prints a line
 * for each finding, with file and line, and ends with 1 where there is one. See docs/decisions/0016, 0118 and 0123.
 */
import { findCircles } from './architecture/find-cycles.mjs'
import { holdArrows } from './architecture/check-folders.mjs'
import { holdContent } from './architecture/check-restricted.mjs'
import { readArrows } from './architecture/permitted-imports.mjs'
import { readImports } from './architecture/read-imports.mjs'

const root = process.argv[2] ?? '.'
const { sources, imports, uses, findings: unread } = readImports(root)

const circles = findCircles(imports, ({ from, to }) => [from, to]).flatMap((circle) => {
  const [first] = circle
  if (!first) return []
  const chain = [...circle.map(({ from, line }) => `${from}:${line}`), first.from].join(' -> ')
  return [{ file: first.from, line: first.line, message: `imports form a cycle: ${chain}` }]
})

const written = readArrows(root)
const findings = [
  ...unread,
  ...written.findings,
  ...holdArrows({ sources, imports }, written),
  ...circles,
  ...holdContent(root, uses),
]
for (const { file, line, message } of findings) console.error(`${file}:${line}: ${message}`)
console.log(`${sources.length} sources, ${imports.length} imports: ${findings.length || 'no'} findings`)
process.exitCode = findings.length > 0 ? 1 : 0
