/** The commands of the documentation work in a clone. `package.test.ts` runs calls with the installed package. */
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { readBlocks, sampleCalls, withoutRepeated } from '../tool/documented-commands.js'
import { runBlocks, runNpx } from './run-blocks.js'
import { project } from './separate-packages.js'

/** By default one call of each command and all shell blocks; `npm run test:endurance` runs all calls of the documentation. */
const isComplete = process.env['DOCUMENTED_COMMANDS'] === 'whole'

t.test('the commands of the documentation work in a clone', async (t) => {
  const names = (await readdir(project)).filter((name) => !/^(?:\..*|results)$/.test(name))
  const bin = await mkdtemp(join(tmpdir(), 'bin-'))
  t.teardown(() => rm(bin, { recursive: true, force: true }))
  // Like npx, starts the file itself.
  for (const name of ['participant-conformance', 'conform'])
    await symlink(join(project, 'dist/cli/conform.js'), join(bin, name))
  const clone = { entries: Object.fromEntries(names.map((name) => [name, join(project, name)])), bin }
  const blocks = readBlocks(project)
  await runBlocks(t, clone, isComplete ? withoutRepeated(blocks) : sampleCalls(blocks))
  // npx reads every package of a folder; the commands need none.
  const { node_modules: _, ...rest } = clone.entries
  await runNpx(t, { ...clone, entries: rest })
})
