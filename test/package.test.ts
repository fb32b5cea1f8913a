/** The package as others get it: packed and installed in an empty folder as the Containerfile says, run, imported and compiled against. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { toolIdentity } from '../cli/tool.js'
import { type Ended, lend, start } from './empty-folder.js'

const work = await mkdtemp(join(tmpdir(), 'package-'))
t.teardown(() => rm(work, { recursive: true, force: true }))
const script = fileURLToPath(new URL('../../scripts/check-containerfile.mjs', import.meta.url))
const project = fileURLToPath(new URL('../../', import.meta.url))
const followed = await start(project, process.execPath, script, '--into', work, '--lend')
if (followed.code !== 0) throw new Error(`the Containerfile cannot be followed:\n${followed.output}`)
/** The image's own folder: there was nothing in it. */
const folder = join(work, '1/opt/participant-conformance')
const installed = join(folder, 'node_modules', toolIdentity().name)
const files = (await readdir(installed, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => relative(installed, join(entry.parentPath, entry.name)))
await cp(join(installed, 'examples'), join(folder, 'examples'), { recursive: true })
await lend(folder, 'vitest', '@types/node', 'typescript')

const examples = ['node-test/simulator.test.mjs', 'node-test/suite.test.mjs'] as const
const vitestExamples = ['vitest/simulator.test.mts', 'vitest/suite.test.mts'] as const

const wellEnded = ({ code, output }: Ended): string => (code === 0 ? 'well' : `code ${code}: ${output}`)

t.test('the Containerfile can be followed to its end', (t) => {
  t.match(followed.output, /^Containerfile: \d+ lines followed, 2 stages; conform --help works\n/)
  t.end()
})

t.test('nothing is in the package but what runs, what it reads, and pages', (t) => {
  const allowed =
    /^(package\.json|README\.md|LICENSE|docs\/[\w-]+\.md|examples\/.*|suites\/.*|interface\/openapi\.yaml|record\/[\w-]+\.schema\.json|model\/(built-in|packages)\/.*|dist\/(api|certificate|cli|daml|explore|interface|model|proof|record|reports|runner|simulator)\/.*\.js|dist\/reports\/page\/page\.css|dist\/interface\/openapi\.json|dist\/interface\/response-fits\.cjs|dist\/suites\/[0-9a-f]{64}\.bin|dist\/program\/(program\.cjs(\.command|\.simulator)?|LICENSES\.txt)|dist\/api\/.*\.d\.ts)$/
  t.strictSame(
    files.filter((path) => !allowed.test(path)),
    [],
  )
  const needed = ['dist/cli/conform.js', 'dist/program/program.cjs', 'dist/program/program.cjs.command']
  needed.push('dist/program/LICENSES.txt', 'dist/api/index.d.ts', 'dist/reports/page/page.js', 'suites/suite.yaml')
  for (const one of needed) t.ok(files.includes(one), `${one} is there`)
  t.end()
})

t.test('scripts on or off are the same: there are none that run when it is installed', async (t) => {
  const { scripts } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  t.strictSame(
    Object.keys(scripts).filter((name) => /^(pre|post)?install$/.test(name)),
    [],
  )
})

t.test('both commands start, and a run leaves its reports', async (t) => {
  const { name, version } = toolIdentity()
  for (const command of ['conform', name]) {
    const { code, stdout } = await start(folder, 'npx', '--no', '--', command, '--version')
    t.strictSame([code, stdout.trim()], [0, version], command)
  }
  const run = await start(folder, join(folder, 'node_modules/.bin/conform'), 'run', '--only', 'CBI-CONTENT*')
  t.equal(wellEnded(run), 'well')
  t.match(await readFile(join(folder, 'results/latest/report.html'), 'utf8'), /<script/)
})

t.test('the examples pass with node:test', async (t) => {
  const run = await start(folder, process.execPath, '--test', ...examples.map((file) => join('examples', file)))
  t.equal(wellEnded(run), 'well')
  t.match(run.output, /CBI-CONTENT\/argument/, 'each row is a test')
})

t.test('the examples pass with Vitest', async (t) => {
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  const run = await start(folder, process.execPath, vitest, 'run', '--dir', 'examples/vitest', '--reporter', 'verbose')
  t.equal(wellEnded(run), 'well')
  t.match(run.output, /CBI-CONTENT\/argument/, 'each row is a test')
})

t.test('the declarations stand by themselves, and the examples are typed', async (t) => {
  const strict = { strict: true, noEmit: true, exactOptionalPropertyTypes: true, target: 'es2022', lib: ['es2022'] }
  const modules = [
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ]
  const alone = "import * as api from 'participant-conformance'\nexport const all: typeof api = api\n"
  await writeFile(join(folder, 'alone.mts'), alone)
  for (const module of modules) {
    // The declarations are checked too, and nothing else is there that they could lean on.
    const own = { ...strict, ...module, types: [], skipLibCheck: false }
    t.equal(wellEnded(await compile({ compilerOptions: own, files: ['alone.mts'] })), 'well', module.module)
    const users = { ...strict, ...module, types: ['node'], allowJs: true, checkJs: true, skipLibCheck: true }
    t.equal(wellEnded(await compile({ compilerOptions: users, include: ['examples'] })), 'well', module.module)
  }
})

async function compile(settings: object): Promise<Ended> {
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  return start(folder, process.execPath, join(folder, 'node_modules/typescript/bin/tsc'), '-p', '.')
}

t.test('what is not exported cannot be imported', async (t) => {
  const script = "await import('participant-conformance/dist/cli/tool.js')"
  const { code, output } = await start(folder, process.execPath, '--input-type=module', '--eval', script)
  t.equal(code, 1)
  t.match(output, /ERR_PACKAGE_PATH_NOT_EXPORTED/)
})

t.test('the page shows the examples as they are', async (t) => {
  const page = await readFile(join(installed, 'docs/library.md'), 'utf8')
  for (const file of ['ping-client.mjs', ...examples, ...vitestExamples]) {
    t.ok(page.includes(await readFile(join(installed, 'examples', file), 'utf8')), `docs/library.md has ${file}`)
  }
})

t.test('no page sends npx to the package of somebody else', async (t) => {
  const pages = files.filter((path) => path.endsWith('.md'))
  for (const path of pages) {
    const text = await readFile(join(installed, path), 'utf8')
    t.notMatch(text, /npx (--\S+ )*conform\b/, `${path} says npx participant-conformance`)
  }
})
