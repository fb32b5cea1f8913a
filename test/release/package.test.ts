/** The package: packed, installed in an empty folder, then run, imported and compiled against. */
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import { toolIdentity } from '../../cli/tool/tool.js'
import { firstCalls, readBlocks } from '../tool/documented-commands.js'
import { packProgram } from './packed-program.js'
import { runBlocks, runNpx } from './run-blocks.js'
import { project, separateFolder } from './separate-packages.js'
import { type ProgramResult, start } from './start-program.js'

const work = await mkdtemp(join(tmpdir(), 'package-'))
t.teardown(() => rm(work, { recursive: true, force: true }))
/** Is empty before the installation. */
const folder = join(work, 'user')
const installed = join(folder, 'node_modules', toolIdentity().name)

const archive = await packProgram(t)
await mkdir(folder)
await writeFile(join(folder, 'package.json'), '{ "private": true }')
const options = ['--no-audit', '--no-fund', '--prefer-offline']
const installation = await start(folder, 'npm', 'install', ...options, archive)
if (installation.code !== 0) throw new Error(`npm install failed:\n${installation.output}`)
await cp(join(installed, 'examples'), join(folder, 'examples'), { recursive: true })

const modelPackage = join(project, 'model/packages/conformance-model-1.0.0.dar')

const problemOf = ({ code, output }: ProgramResult): string => (code === 0 ? 'none' : `code ${code}: ${output}`)

t.test('the package has no install scripts', async (t) => {
  const { scripts } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  t.strictSame(
    Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name)),
    [],
  )
  const restored = await readFile(join(dirname(archive), 'package.json'), 'utf8')
  t.equal(restored, await readFile(join(project, 'package.json'), 'utf8'), 'packing restores package.json')
})

t.test('each link of a page leads to a file of the package', async (t) => {
  const files = await readdir(installed, { recursive: true })
  const pages = files.filter((path) => path.endsWith('.md') && !path.startsWith('node_modules'))
  t.ok(pages.includes('README.md') && pages.includes(join('docs', 'design.md')))
  for (const page of pages) {
    const text = await readFile(join(installed, page), 'utf8')
    const links = [...text.matchAll(/\]\(([^)#\s]+)/g)].flatMap(([, link = '']) => (URL.canParse(link) ? [] : [link]))
    const dead = links.filter((link) => !existsSync(join(installed, dirname(page), link)))
    t.strictSame(dead, [], page)
  }
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

t.test('the first documented call of each command works', async (t) => {
  const packages = join(folder, 'node_modules')
  const place = { entries: { node_modules: packages }, bin: join(packages, '.bin') }
  await runBlocks(t, place, firstCalls(readBlocks(project)))
  await runNpx(t, place)
})

t.test('the oldest and the newest tested release of Node run the package', async (t) => {
  const run = await start(project, process.execPath, 'test/release/nodes/test-nodes.mjs', '--installed', folder)
  t.equal(problemOf(run), 'none')
})

t.test('the examples pass with node:test', async (t) => {
  const run = await start(
    folder,
    process.execPath,
    '--test',
    'examples/node-test/simulator.test.mjs',
    'examples/node-test/suite.test.mjs',
  )
  t.equal(problemOf(run), 'none')
  t.match(run.output, /CBI-CONTENT\/argument/, 'each row is a test')
})

t.test('the examples pass with Vitest', async (t) => {
  // Linked only now, because npx, in the tests above, reads every package of the folder.
  await linkPackages(separateFolder, 'vitest', 'jest', '@jest/globals')
  await linkPackages(project, '@types/node', 'typescript')
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

/** Links packages of another folder. */
async function linkPackages(from: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    await mkdir(join(folder, 'node_modules', name, '..'), { recursive: true })
    await symlink(join(from, 'node_modules', name), join(folder, 'node_modules', name))
  }
}
