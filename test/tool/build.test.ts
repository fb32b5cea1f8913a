/** Incremental builds: the real script with logging programs instead of the compiler and the build steps. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const script = fileURLToPath(new URL('../../../tools/build/build.mjs', import.meta.url))

/** A folder with sources and logging programs. `build` returns the executed steps and the exit code. */
async function project(t: Test): Promise<{ folder: string; build(): Promise<{ ran: string[]; code: number | null }> }> {
  const folder = t.testdir()
  const log = join(folder, 'log')
  const files: Record<string, string> = {
    'package.json': '{}',
    'tsconfig.json': '{ "include": ["cli", "interface", "test"] }',
    'cli/a.ts': 'export {}',
    'cli/tool/compile-suite.ts': '',
    'interface/compile-description.ts': '',
    'test/a.test.ts': 'export {}',
    'node_modules/.bin/node': `#!/bin/sh\nbasename "$1" >> '${log}'\n`,
    'node_modules/.bin/tsc': `#!/bin/sh
      echo "$*" >> '${log}'
      if grep -q wrong cli/a.ts; then exit 2; fi
      mkdir -p dist/test
      cp test/a.test.ts dist/test/a.test.js\n`,
    'dist/interface/compile-description.js': '',
    'dist/cli/tool/compile-suite.js': '',
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  for (const name of ['node', 'tsc']) await chmod(join(folder, 'node_modules/.bin', name), 0o755)
  await cp(script, join(folder, 'tools/build/build.mjs'))
  const build = async (): Promise<{ ran: string[]; code: number | null }> => {
    await writeFile(log, '')
    const { status } = spawnSync(process.execPath, ['tools/build/build.mjs'], { cwd: folder, stdio: 'ignore' })
    return { ran: (await readFile(log, 'utf8')).trim().split('\n'), code: status }
  }
  return { folder, build }
}

const all = [
  ...['-p tsconfig.json', '-p api', 'build-checks.mjs', 'build-page.mjs', 'compile-description.js'],
  ...['build-program.mjs', 'build-library.mjs', 'compile-suite.js'],
]
const nothing = { ran: [''], code: 0 }

t.test('a build with nothing to do does nothing', async (t) => {
  const { build } = await project(t)
  t.strictSame(await build(), { ran: all, code: 0 })
  t.strictSame(await build(), nothing)
})

t.test('a change is built', async (t) => {
  const { folder, build } = await project(t)
  await build()
  await appendFile(join(folder, 'cli/a.ts'), '//')
  t.strictSame((await build()).ran, all, 'a source')
  await appendFile(join(folder, 'dist/cli/tool/compile-suite.js'), '//')
  t.strictSame((await build()).ran, all, 'an output')
  await rm(join(folder, 'dist/test/a.test.js'))
  t.strictSame((await build()).ran, ['-p tsconfig.json'], 'a removed output of a test')
  await appendFile(join(folder, 'test/a.test.ts'), '//')
  t.strictSame((await build()).ran, ['-p tsconfig.json'], 'a test')
  await writeFile(join(folder, 'package-lock.json'), '{}')
  t.strictSame((await build()).ran, all, 'the installed packages')
  t.strictSame(await build(), nothing)
})

t.test('outputs of removed sources are removed, and no other files', async (t) => {
  const { folder, build } = await project(t)
  await mkdir(join(folder, 'dist/test/screenshots'), { recursive: true })
  for (const name of ['test/gone.test.js', 'test/gone.test.js.map', 'test/screenshots/print.png', 'cli/gone.js'])
    await writeFile(join(folder, 'dist', name), '')
  await build()
  t.strictSame((await readdir(join(folder, 'dist/test'))).sort(), ['a.test.js', 'screenshots'])
  t.strictSame(await readdir(join(folder, 'dist/test/screenshots')), ['print.png'])
  t.strictSame(await readdir(join(folder, 'dist/cli')), ['tool'])
})

t.test(
  'after a removed output the compiler starts without its state, because it would not write the file again',
  async (t) => {
    const { folder, build } = await project(t)
    const compilerState = join(folder, 'dist/.tsbuildinfo')
    await build()
    await writeFile(compilerState, '{}')
    await appendFile(join(folder, 'cli/a.ts'), '//')
    await build()
    t.ok(existsSync(compilerState), 'a changed source')
    await rm(join(folder, 'dist/cli/tool/compile-suite.js'))
    await build()
    t.notOk(existsSync(compilerState), 'a removed output')
  },
)

t.test('the entry point of the command is executable', async (t) => {
  const { folder, build } = await project(t)
  await writeFile(join(folder, 'cli/conform.ts'), '')
  await writeFile(join(folder, 'dist/cli/conform.js'), '')
  await build()
  t.equal((await stat(join(folder, 'dist/cli/conform.js'))).mode & 0o777, 0o755)
})

t.test('after a failed build everything is built', async (t) => {
  const { folder, build } = await project(t)
  await build()
  await writeFile(join(folder, 'cli/a.ts'), 'wrong')
  t.strictSame(await build(), { ran: ['-p tsconfig.json'], code: 2 })
  await writeFile(join(folder, 'cli/a.ts'), 'export {}')
  t.strictSame((await build()).ran, all, 'the same sources as before the failure')
})
