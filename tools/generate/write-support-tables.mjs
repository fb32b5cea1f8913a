/**
 * Writes the tables of docs/reference/support.md. Each table is the output of the command above it. Needs a build:
 *   node tools/generate/write-support-tables.mjs [--current]
 * `--current` changes nothing. It exits with 1 if a table is not current.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const page = 'docs/reference/support.md'
const text = readFileSync(page, 'utf8')
const table = /(^```sh\nnpx participant-conformance (list support.*)\n```\n\n)(?:\|.*\n)+/gm
const written = text.replace(table, (_, above, command) => `${above}${outputOf(command)}`)

/** @param {string} command */
function outputOf(command) {
  return execFileSync(process.execPath, ['dist/cli/conform.js', ...command.split(' ')], { encoding: 'utf8' })
}

if (!table.test(text)) throw new Error(`${page} has no table below a list support command`)
if (!process.argv.includes('--current')) writeFileSync(page, written)
else if (written !== text) {
  console.error(`${page} is not current: run npm run docs:implementing`)
  process.exit(1)
}
