/** The content of the package, and its import by name. `package.test.ts` installs it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const project = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string): string => readFileSync(join(project, path), 'utf8')

// Without scripts, npm lists the present build and leaves package.json unchanged.
const pack = ['pack', '--dry-run', '--json', '--ignore-scripts']
const [packed]: { size: number; files: { path: string }[] }[] = JSON.parse(
  execFileSync('npm', pack, { cwd: project, encoding: 'utf8' }),
)
const files = packed?.files.map(({ path }) => path) ?? []

t.test('the package contains only the program, its data and documents', (t) => {
  const allowed =
    /^(package\.json|README\.md|CONTRIBUTING\.md|LICENSE|docs\/((decisions|reference)\/)?[\w-]+\.md|docs\/report\.png|examples\/.*|suites\/.*|interface\/openapi\.yaml|record\/[\w-]+\.schema\.json|model\/built-in\/.*\.json|model\/packages\/.*|dist\/api\/(index|required)\.cjs|dist\/api\/library\.js|dist\/api\/.*\.d\.c?ts|dist\/cli\/[\w-]+\.js|dist\/interface\/openapi\.json|dist\/program\/([\w-]+\.js|LICENSES\.txt)|dist\/reports\/page\/page\.(js|css)|dist\/suites\/[0-9a-f]{64}\.bin)$/
  t.strictSame(
    files.filter((path) => !allowed.test(path)),
    [],
  )
  const needed = ['dist/cli/conform.js', 'dist/cli/bundle.js']
  needed.push('dist/program/LICENSES.txt', 'dist/api/index.d.ts', 'dist/api/index.d.cts', 'dist/api/index.cjs')
  needed.push(
    'dist/api/library.js',
    'dist/api/required.cjs',
    'model/built-in/canton-builtin-admin-workflow-ping-3.4.0.json',
  )
  needed.push('dist/reports/page/page.js', 'suites/suite.yaml')
  for (const one of needed) t.ok(files.includes(one), `${one} exists`)
  t.end()
})

t.test('the package is small', (t) => {
  const { dependencies } = JSON.parse(read('package.json'))
  t.ok(Object.keys(dependencies).length <= 12, 'at most 12 direct dependencies')
  t.ok(packed && packed.size <= 2_500_000, `${packed?.size} bytes, at most 2.5 MB`)
  t.end()
})

t.test('the package is imported and required by its name, and internal modules are not', async (t) => {
  const name = 'participant-conformance'
  const required: object = createRequire(import.meta.url)(name)
  const functions = ['runSuite', 'startSimulator', 'ConformanceError']
  for (const library of [await import(name), required]) t.strictSame(Object.keys(library).sort(), functions.toSorted())
  await t.rejects(import(`${name}/dist/cli/tool/tool.js`), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' })
})

const examples = ['node-test/simulator.test.mjs', 'node-test/suite.test.mjs']
const otherExamples = ['vitest/simulator.test.mts', 'vitest/suite.test.mts', 'jest/simulator.test.cjs']
otherExamples.push('jest/suite.test.cjs', 'ping-client.cjs')

t.test('docs/library.md shows the examples for node:test unchanged, and links the others', (t) => {
  const page = read('docs/library.md')
  for (const file of examples) t.ok(page.includes(read(`examples/${file}`)), `docs/library.md has ${file}`)
  for (const file of otherExamples) t.ok(page.includes(`](../examples/${file})`), `docs/library.md links ${file}`)
  t.end()
})

t.test('no document names another package for npx', (t) => {
  for (const path of files.filter((file) => file.endsWith('.md')))
    t.notMatch(read(path), /npx (--\S+ )*conform\b/, `${path} names npx participant-conformance`)
  t.end()
})
