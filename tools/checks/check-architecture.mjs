/**
 * Compares the sources with docs/imports.md. Usage:
 *   node tools/checks/check-architecture.mjs [project].
 * Reports imports that the page does not permit, cycles of imports, conditions on the words of messages, and unpermitted uses of file content or the console. Prints a line
 * for each finding, with file and line, and exits with 1. See docs/imports.md, docs/decisions/0118 and 0123.
 */
import { checkContentUses, checkFolders } from './architecture/check-folders.mjs'
import { findCycles } from './architecture/find-cycles.mjs'
import { readContentPlaces, readPermittedImports } from './architecture/permitted-imports.mjs'
import { readImports } from './architecture/read-imports.mjs'

const root = process.argv[2] ?? '.'
const { sources, imports, uses, findings: unresolved } = readImports(root)

const cycles = findCycles(imports, ({ from, to }) => [from, to]).flatMap((cycle) => {
  const [first] = cycle
  if (!first) return []
  const chain = [...cycle.map(({ from, line }) => `${from}:${line}`), first.from].join(' -> ')
  return [{ file: first.from, line: first.line, message: `imports form a cycle: ${chain}` }]
})

const list = readPermittedImports(root)
const findings = [
  ...unresolved,
  ...list.findings,
  ...checkFolders({ sources, imports }, list),
  ...cycles,
  ...checkContentUses(uses, readContentPlaces(root)),
]
for (const { file, line, message } of findings) console.error(`${file}:${line}: ${message}`)
console.log(`${sources.length} sources, ${imports.length} imports: ${findings.length || 'no'} findings`)
process.exitCode = findings.length > 0 ? 1 : 0
