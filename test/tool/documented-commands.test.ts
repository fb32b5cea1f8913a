/** Commands in the documentation and in CI examples: all commands and options exist. `test/release/` runs them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { readBlocks, readOptions, unknownWord } from './documented-commands.js'

const project = fileURLToPath(new URL('../../../', import.meta.url))
const blocks = readBlocks(project)

/** Calls of the program in the scripts of CI examples. */
function ciCalls(): { place: string; words: string[] }[] {
  const folder = join(project, 'examples/ci')
  return readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/\bparticipant-conformance ([a-z][^|&;>\n]*)/g)].map(
      ([, words = '']) => ({ place: file, words: words.trim().split(/\s+/) }),
    ),
  )
}

t.test('commands and options of every call exist', async (t) => {
  const calls = blocks.flatMap(({ place, commands }) => commands.map(({ words }) => ({ place, words })))
  t.ok(calls.length > 100, `${calls.length} commands`)
  const jobs = ciCalls()
  t.ok(jobs.length > 10, `${jobs.length} commands of CI examples`)
  const wrong = [['run', '--no-such'], ['walk']]
  const all = [...calls, ...jobs].flatMap(({ place, words }) => (words ? [{ place, words }] : []))
  const options = await readOptions([...all.map(({ words }) => words), ...wrong])
  for (const { place, words } of all) t.equal(unknownWord(words, options), undefined, place)
  t.strictSame(
    wrong.map((words) => unknownWord(words, options)),
    ['run has no option --no-such', 'unknown command walk'],
  )
})

t.test('npm commands name existing scripts and the archive of npm pack', (t) => {
  const { scripts, name, version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  const calls = blocks.flatMap(({ commands }) => commands.filter(({ text }) => text.startsWith('npm ')))
  for (const { text } of calls) {
    for (const [, script = ''] of text.matchAll(/npm (?:run )?(start|test|(?<=run )[\w:]+)/g))
      t.ok(scripts[script], text)
    const [tarball] = /[\w.-]+\.tgz/.exec(text) ?? []
    if (tarball !== undefined) t.equal(tarball, `${name}-${version}.tgz`)
  }
  t.end()
})
