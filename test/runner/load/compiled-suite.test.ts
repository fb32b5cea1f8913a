/** The suite that the build compiles. */
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { findCompiled } from '../../../runner/load/compiled-suite.js'
import { loadFromYaml, loadSuite } from '../../../runner/load/load-suite.js'

const suites = fileURLToPath(new URL('../../../../suites/', import.meta.url))
t.test('the compiled suite equals the YAML, including locations', async (t) => {
  const fromYaml = await loadFromYaml(suites)
  t.ok(await findCompiled(fromYaml.digest))
  t.strictSame(await loadSuite(suites), fromYaml)
})

t.test('a copy of the suite is loaded with its own path, and a changed copy from YAML', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'suite-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await cp(suites, folder, { recursive: true })
  const same = await loadSuite(folder)
  t.strictSame(same, await loadFromYaml(folder))
  t.equal(same.folder, folder)
  await appendFile(join(folder, 'suite.yaml'), '\n')
  const changed = await loadSuite(folder)
  t.notOk(await findCompiled(changed.digest))
  t.strictSame({ ...changed, digest: '', texts: undefined }, { ...same, digest: '', texts: undefined })
})
