/** The suite that the build compiles, and reuse of suites and resolutions. */
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { ResolvedRow } from '../../../record/types/resolved-row.js'
import { findCompiled } from '../../../runner/load/compiled-suite.js'
import { loadSuite } from '../../../runner/load/load-suite.js'
import { readSuite } from '../../../runner/load/read-suite.js'
import { resolveSuite } from '../../../runner/resolve/resolve-suite.js'
import { readSuiteFiles, suiteDigest } from '../../../runner/yaml/suite-files.js'
import { folderWith, writeSuite } from '../../support/suites/suite-folder.js'

const suites = fileURLToPath(new URL('../../../../suites/', import.meta.url))

t.test(
  'the compiled suite with a profile file equals the YAML, including locations, or gives its findings',
  async (t) => {
    const files = await readSuiteFiles(suites)
    t.ok(await findCompiled(suiteDigest(files)))
    const head = 'profile: own\ntitle: My own\nextends: canton-3.5\nconfidence: observed\nsource: a participant\n'
    const path = 'own.yaml'
    const profile = { path, text: `${head}situations:\n  body-too-large: { accepted: true }\n` }
    t.strictSame(await loadSuite(suites, profile), await readSuite(suites, files, profile))
    const wrong = `${head}codes: { UNUSED: { status: 400 } }\nsituations:\n  no-such: { accepted: true }\n`
    const message =
      /own\.yaml:6:10: error: no situation uses the code "UNUSED"[\s\S]*own\.yaml:8:3: error: unknown situation "no-such"/
    await t.rejects(loadSuite(suites, { path, text: wrong }), { name: 'FindingsError', message })
  },
)

t.test('a copy of the suite has its own path, and a changed copy is not the compiled suite', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'suite-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await cp(suites, folder, { recursive: true })
  const same = await loadSuite(folder)
  t.equal(same.folder, folder)
  await appendFile(join(folder, 'suite.yaml'), '\n')
  const digest = suiteDigest(await readSuiteFiles(folder))
  t.not(digest, same.digest)
  t.notOk(await findCompiled(digest))
})

t.test('equal files give the same suite again, and each profile file its own', async (t) => {
  const folder = t.testdir({})
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  for (const path of [one, two]) {
    await writeSuite(path)
    // Other tests of this process load the tiny suite, too, from other folders.
    await appendFile(join(path, 'suite.yaml'), '# of this test\n')
  }
  const suite = await loadSuite(one)
  t.equal(await loadSuite(one), suite)
  const copy = await loadSuite(two)
  t.equal(copy.folder, two)
  t.equal(copy.cases, suite.cases)
  const text = 'profile: own\ntitle: My own\nextends: seen\nconfidence: observed\nsource: a participant\n'
  const withProfile = await loadSuite(one, { path: 'own.yaml', text })
  t.equal(withProfile.profiles.get('own')?.title, 'My own')
  const changed = await loadSuite(one, { path: 'own.yaml', text: text.replace('My own', 'Another') })
  t.equal(changed.profiles.get('own')?.title, 'Another')
  t.equal(await loadSuite(one), suite, 'the suite has no profile of a user')
  t.notOk(suite.profiles.has('own'))
  await appendFile(join(one, 'suite.yaml'), '\n')
  t.not((await loadSuite(one)).digest, suite.digest)
})

t.test('resolved rows are shared by suite, profile and version', async (t) => {
  const suite = await loadSuite(await folderWith(t))
  const [seen, text] = [suite.profiles.get('seen'), suite.profiles.get('interface')]
  if (!seen || !text) throw new Error('the tiny suite has these profiles')
  const rowOf = (...given: Parameters<typeof resolveSuite>): ResolvedRow | undefined => resolveSuite(...given).rows[0]
  const row = rowOf(suite, seen)
  t.equal(rowOf(suite, seen), row)
  t.not(rowOf(suite, text), row)
  t.not(rowOf(suite, seen, 34), rowOf(suite, seen, 35))
  t.not(rowOf({ ...suite }, seen), row, 'an altered suite has the same digest')
  t.equal(resolveSuite(suite, seen, undefined, () => false).rows.length, 0)
})
