import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { findCompiled } from '../../../runner/load/compiled-suite.js'
import { loadFromYaml, loadSuite } from '../../../runner/load/load-suite.js'

const suites = fileURLToPath(new URL('../../../../suites/', import.meta.url))
/** Undefined: nobody has read these files yet. */
const compiled = (digest: string) => findCompiled(digest)

t.test('the suite that the build has read is the one in the YAML, its locations included', async (t) => {
  const anew = await loadFromYaml(suites)
  t.ok(await compiled(anew.digest), 'there is one')
  t.strictSame(await loadSuite(suites), anew)
})

t.test('another folder with the same files has its own path, and one byte more is read from its YAML', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'suite-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await cp(suites, folder, { recursive: true })
  const same = await loadSuite(folder)
  t.strictSame(same, await loadFromYaml(folder))
  t.equal(same.folder, folder)
  await appendFile(join(folder, 'suite.yaml'), '\n')
  const changed = await loadSuite(folder)
  t.notOk(await compiled(changed.digest))
  t.strictSame({ ...changed, digest: '', texts: undefined }, { ...same, digest: '', texts: undefined })
})
