/** The output names each setting that removes rows, and its source; `show` reads the same files as `run`. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { limitingSettings } from '../../../cli/console/run-output.js'
import { gatherSettings } from '../../../cli/target/settings.js'
import { conformIn } from '../../support/processes/conform-process.js'

t.test('each setting has the option, the variable, or the line of its file', async (t) => {
  const config = join(
    t.testdir({ 'exec.yaml': 'target: http://a\nunreachable: [prepare]\nprofile: interface\n' }),
    'exec.yaml',
  )
  const settings = await gatherSettings({ config, only: ['A*'] }, { CONFORM_OPERATIONS: 'execute' })
  t.match(
    limitingSettings(settings),
    /^Settings that limit the rows: operations \(CONFORM_OPERATIONS\), only \(--only\), unreachable \(.*exec\.yaml:2\)$/,
  )
  t.match(settings.sources.get('profile'), /exec\.yaml:3$/)
  t.equal(limitingSettings(await gatherSettings({}, {})), undefined)
})

t.test('a run and show read conform.yaml, and a run names it', async (t) => {
  const folder = t.testdir()
  await writeFile(join(folder, 'conform.yaml'), 'profile: interface\noperations: [contract-by-id]\n')
  const shown = await conformIn({ folder }, 'show', 'CBI-HEAD/head')
  t.match(shown.stdout, /\nprofile {4}interface \(/)
  const ran = await conformIn({ folder }, 'run', '--only', 'CBI-HEAD*')
  t.match(
    ran.stdout,
    /^Settings that limit the rows: operations \(conform\.yaml:2\), only \(--only\)\n\d+ rows on the embedded simulator, judged by profile interface \(conform\.yaml:1\)\n/,
  )
})
