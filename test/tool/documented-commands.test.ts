/**
 * Commands in the documentation: all commands and options exist, and the first call of each command works in a clone. `package.test.ts` runs
 * calls with the installed package.
 */
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { conform } from '../support/processes/conform-process.js'
import { firstCalls, optionsIn, readBlocks, unknownWord } from './documented-commands.js'
import { runBlocks, runNpx } from './run-blocks.js'

const project = fileURLToPath(new URL('../../../', import.meta.url))
const blocks = readBlocks(project)

t.test('commands and options of every call exist', async (t) => {
  const script = await conform('completion', 'bash')
  t.equal(script.code, 0, script.stderr)
  const options = optionsIn(script.stdout)
  const calls = blocks.flatMap(({ place, commands }) => commands.map((command) => ({ place, ...command })))
  t.ok(calls.length > 100, `${calls.length} commands`)
  for (const { place, words } of calls) if (words) t.equal(unknownWord(words, options), undefined, place)
  t.equal(unknownWord(['run', '--no-such'], options), 'run has no option --no-such')
  t.equal(unknownWord(['walk'], options), 'unknown command walk')
})

t.test('npm commands name existing scripts and the archive of npm pack', async (t) => {
  const { scripts, name, version } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
  const calls = blocks.flatMap(({ commands }) => commands.filter(({ text }) => text.startsWith('npm ')))
  for (const { text } of calls) {
    for (const [, script = ''] of text.matchAll(/npm (?:run )?(start|test|(?<=run )[\w:]+)/g))
      t.ok(scripts[script], text)
    const [tarball] = /[\w.-]+\.tgz/.exec(text) ?? []
    if (tarball !== undefined) t.equal(tarball, `${name}-${version}.tgz`)
  }
})

t.test('commands work in a clone', async (t) => {
  const names = (await readdir(project)).filter((name) => !/^(?:\..*|results)$/.test(name))
  const bin = await mkdtemp(join(tmpdir(), 'bin-'))
  t.teardown(() => rm(bin, { recursive: true, force: true }))
  // Like npx, starts the file itself.
  for (const name of ['participant-conformance', 'conform'])
    await symlink(join(project, 'dist/cli/conform.js'), join(bin, name))
  const clone = { entries: Object.fromEntries(names.map((name) => [name, join(project, name)])), bin }
  await runBlocks(t, clone, firstCalls(blocks))
  // npx reads every package of a folder; the commands need none.
  const { node_modules: _, ...rest } = clone.entries
  await runNpx(t, { ...clone, entries: rest }, 'lint')
})
