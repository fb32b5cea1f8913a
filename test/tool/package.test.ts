/** The package: packed and installed in an empty folder by the Containerfile, then run, imported and compiled against. */
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { toolIdentity } from '../../cli/tool/tool.js'
import { readBlocks, sampleCalls, withoutRepeated } from './documented-commands.js'
import { runBlocks, runNpx } from './run-blocks.js'
import { linkPackages, type ProgramResult, start } from './start-program.js'

const work = await mkdtemp(join(tmpdir(), 'package-'))
t.teardown(() => rm(work, { recursive: true, force: true }))
const script = fileURLToPath(new URL('../../../tools/checks/check-containerfile.mjs', import.meta.url))
const project = fileURLToPath(new URL('../../../', import.meta.url))
const checked = await start(project, process.execPath, script, '--into', work, '--lend')
if (checked.code !== 0) throw new Error(`the check of the Containerfile failed:\n${checked.output}`)
const packed = join(work, '0/source')
/** Was empty before the installation. */
const folder = join(work, '1/opt/participant-conformance')
const installed = join(folder, 'node_modules', toolIdentity().name)
const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => relative(installed, join(entry.parentPath, entry.name)))
await cp(join(installed, 'examples'), join(folder, 'examples'), { recursive: true })

/** By default one call of each command and all shell blocks; `npm run test:endurance` runs all calls of the documentation. */
const isComplete = process.env['DOCUMENTED_COMMANDS'] === 'whole'

const examples = ['node-test/simulator.test.mjs', 'node-test/suite.test.mjs'] as const
const otherExamples = [
  'vitest/simulator.test.mts',
  'vitest/suite.test.mts',
  'jest/simulator.test.cjs',
  'jest/suite.test.cjs',
]

const modelPackage = fileURLToPath(new URL('../../../model/packages/conformance-model-1.0.0.dar', import.meta.url))

const problemOf = ({ code, output }: ProgramResult): string => (code === 0 ? 'none' : `code ${code}: ${output}`)

t.test('the stages of the Containerfile work', (t) => {
  t.match(checked.output, /^Containerfile: \d+ lines checked, 2 stages; conform --help works\n/)
  t.end()
})

t.test('the package contains only the program, its data and documents', (t) => {
  const allowed =
    /^(package\.json|README\.md|LICENSE|docs\/[\w-]+\.md|examples\/.*|suites\/.*|interface\/openapi\.yaml|record\/[\w-]+\.schema\.json|model\/(built-in|packages)\/.*|dist\/(api|certificate|cli|daml|explore|interface|learn|lib|model|proof|record|reports|runner|simulator)\/.*\.js|dist\/reports\/page\/page\.css|dist\/interface\/openapi\.json|dist\/interface\/response-fits\.cjs|dist\/suites\/[0-9a-f]{64}\.bin|dist\/program\/([\w-]+\.js|LICENSES\.txt)|dist\/api\/.*\.d\.c?ts|dist\/api\/(index|library)\.cjs)$/
  t.strictSame(
    files.filter((path) => !allowed.test(path)),
    [],
  )
  const needed = ['dist/cli/conform.js', 'dist/cli/bundle.js']
  needed.push('dist/program/LICENSES.txt', 'dist/api/index.d.ts', 'dist/api/index.d.cts', 'dist/api/index.cjs')
  needed.push('dist/reports/page/page.js', 'suites/suite.yaml')
  for (const one of needed) t.ok(files.includes(one), `${one} exists`)
  t.end()
})

t.test('the package has no install scripts', async (t) => {
  const { scripts } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  t.strictSame(
    Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name)),
    [],
  )
  const restored = await readFile(join(packed, 'package.json'), 'utf8')
  t.equal(restored, await readFile(join(project, 'package.json'), 'utf8'), 'packing restores package.json')
})

t.test('both commands start, and a run writes its reports', async (t) => {
  const { name, version } = toolIdentity()
  for (const command of ['conform', name]) {
    const { code, stdout } = await start(folder, 'npx', '--no', '--', command, '--version')
    t.strictSame([code, stdout.trim()], [0, version], command)
  }
  const run = await start(folder, join(folder, 'node_modules/.bin/conform'), 'run', '--only', 'CBI-CONTENT*')
  t.equal(problemOf(run), 'none')
  t.match(await readFile(join(folder, 'results/latest/report.html'), 'utf8'), /<script/)
})

t.test('the commands of the documentation work', async (t) => {
  const packages = join(folder, 'node_modules')
  const place = { entries: { node_modules: packages }, bin: join(packages, '.bin') }
  const blocks = readBlocks(project)
  await runBlocks(t, place, isComplete ? withoutRepeated(blocks) : sampleCalls(blocks))
  await runNpx(t, place)
})

t.test('the oldest and the newest tested release of Node run the package', async (t) => {
  const run = await start(project, process.execPath, 'tools/tests/test-nodes.mjs', '--installed', folder)
  t.equal(problemOf(run), 'none')
})

t.test('the examples pass with node:test', async (t) => {
  const run = await start(folder, process.execPath, '--test', ...examples.map((file) => join('examples', file)))
  t.equal(problemOf(run), 'none')
  t.match(run.output, /CBI-CONTENT\/argument/, 'each row is a test')
})

t.test('the examples pass with Vitest', async (t) => {
  // Linked only now, because npx, in the tests above, reads every package of the folder.
  await linkPackages(folder, 'vitest', 'jest', '@jest/globals', '@types/node', 'typescript')
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  const options = ['--dir', 'examples/vitest', '--reporter', 'verbose', '--testTimeout', '120000']
  const run = await start(folder, process.execPath, vitest, 'run', ...options)
  t.equal(problemOf(run), 'none')
  t.match(run.output, /CBI-CONTENT\/argument/, 'each row is a test')
})

t.test('the examples pass with Jest without configuration, and errors keep their class', async (t) => {
  const errors = `
    const { ConformanceError, runSuite, startSimulator } = require('participant-conformance')
    const codeOf = (attempt) => attempt.then(() => 'none', (error) => error instanceof ConformanceError && error.code)
    test('errors of Node are recognised, also with fake timers', async () => {
      jest.useFakeTimers()
      const participant = await startSimulator({ packages: [${JSON.stringify(modelPackage)}] })
      expect(await codeOf(startSimulator({ port: Number(new URL(participant.url).port) }))).toBe('PORT_UNUSABLE')
      expect(await codeOf(startSimulator({ packages: ['/nowhere'] }))).toBe('INVALID_OPTION')
      expect(await codeOf(startSimulator({ packages: [{ name: 'a', bytes: new Uint8Array(3) }] }))).toBe('INVALID_OPTION')
      expect(await codeOf(startSimulator({ authorization: 'rs256:/nowhere' }))).toBe('INVALID_OPTION')
      expect(await codeOf(runSuite({ targetFile: '/nowhere', redact: [/a/] }))).toBe('INVALID_OPTION')
      expect(await codeOf(runSuite({ target: 'http://127.0.0.1:1' }))).toBe('TARGET_UNUSABLE')
      expect(await codeOf(participant.snapshots.load('{'))).toBe('INVALID_STATE')
      await participant.close()
    })`
  await writeFile(join(folder, 'examples/jest/errors.test.cjs'), errors)
  t.teardown(() => rm(join(folder, 'examples/jest/errors.test.cjs')))
  const jest = join(folder, 'node_modules/jest/bin/jest.js')
  const run = await start(folder, process.execPath, jest, '--rootDir', 'examples/jest', '--testTimeout', '120000')
  t.equal(problemOf(run), 'none')
  t.match(run.output, /Tests: +4 passed, 4 total/)
})

t.test('a CommonJS program requires the library', async (t) => {
  const program = `
    const { runSuite, startSimulator, ConformanceError, ...rest } = require('participant-conformance')
    void (async () => {
      const participant = await startSimulator({ parties: ['alice'] })
      const { rows } = await runSuite({ target: participant.url, only: 'CBI-CONTENT*' })
      await participant[Symbol.asyncDispose]()
      const { code } = await startSimulator({ port: -1 }).catch((error) => error)
      console.log(rows.every(({ conforming }) => conforming), Object.keys(rest), code, participant.parties.alice)
    })()`
  await writeFile(join(folder, 'program.cjs'), program)
  const run = await start(folder, process.execPath, 'program.cjs')
  t.equal(problemOf(run), 'none')
  t.match(run.stdout, /^true \[\] INVALID_OPTION alice::1220[0-9a-f]+\n$/)
})

t.test('the package is small', async (t) => {
  const { dependencies } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  t.ok(Object.keys(dependencies).length <= 15, 'at most 15 direct dependencies')
  const [archive = ''] = (await readdir(packed)).filter((name) => name.endsWith('.tgz'))
  const { size } = await stat(join(packed, archive))
  t.ok(size <= 5_000_000, `${size} bytes, at most 5 MB`)
})

t.test('the declarations need no other types, and the examples are typed', async (t) => {
  const strict = { strict: true, noEmit: true, exactOptionalPropertyTypes: true, target: 'es2022', lib: ['es2022'] }
  const modules = [
    { module: 'node16', moduleResolution: 'node16' },
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ]
  const alone = "import * as api from 'participant-conformance'\nexport const all: typeof api = api\n"
  const required = "import api = require('participant-conformance')\nexport const all: typeof api = api\n"
  await writeFile(join(folder, 'alone.mts'), alone)
  await writeFile(join(folder, 'required.cts'), required)
  for (const module of modules) {
    // Checks the declarations themselves, without other types.
    const own = { ...strict, ...module, types: [], skipLibCheck: false }
    const files = ['alone.mts', ...(module.module === 'esnext' ? [] : ['required.cts'])]
    t.equal(problemOf(await compile({ compilerOptions: own, files })), 'none', module.module)
    // The examples import the package as `alone.mts` does: one of the two kinds of resolution in Node suffices.
    if (module.module === 'node16') continue
    const users = { ...strict, ...module, types: ['node'], allowJs: true, checkJs: true, skipLibCheck: true }
    t.equal(problemOf(await compile({ compilerOptions: users, include: ['examples'] })), 'none', module.module)
  }
})

async function compile(settings: object): Promise<ProgramResult> {
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  return start(folder, process.execPath, join(folder, 'node_modules/typescript/bin/tsc'), '-p', '.')
}

t.test('internal modules cannot be imported', async (t) => {
  const script = "await import('participant-conformance/dist/cli/tool.js')"
  const { code, output } = await start(folder, process.execPath, '--input-type=module', '--eval', script)
  t.equal(code, 1)
  t.match(output, /ERR_PACKAGE_PATH_NOT_EXPORTED/)
})

t.test('docs/library.md shows the examples for node:test unchanged, and links the others', async (t) => {
  const page = await readFile(join(installed, 'docs/library.md'), 'utf8')
  for (const file of examples)
    t.ok(page.includes(await readFile(join(installed, 'examples', file), 'utf8')), `docs/library.md has ${file}`)
  for (const file of ['ping-client.cjs', ...otherExamples])
    t.ok(page.includes(`](../examples/${file})`), `docs/library.md links ${file}`)
})

t.test('no document names another package for npx', async (t) => {
  const pages = files.filter((path) => path.endsWith('.md'))
  for (const path of pages) {
    const text = await readFile(join(installed, path), 'utf8')
    t.notMatch(text, /npx (--\S+ )*conform\b/, `${path} names npx participant-conformance`)
  }
})
