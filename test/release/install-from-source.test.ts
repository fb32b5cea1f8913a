/**
 * Installation by npm from git and from a folder: with the real package.json and `prepare`, a minimal build, and development dependencies
 * that need no registry.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { toolIdentity } from '../../cli/tool/tool.js'
import { start } from './start-program.js'

const project = fileURLToPath(new URL('../../../', import.meta.url))
const { name } = toolIdentity()

interface Folders {
  source: string
  user: string
}

async function folders(t: Test): Promise<Folders> {
  const root = await mkdtemp(join(tmpdir(), 'from-source-'))
  t.teardown(() => rm(root, { recursive: true, force: true }))
  const source = join(root, 'source')
  const user = join(root, 'user')
  const own = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
  const files = {
    'source/package.json': JSON.stringify({
      ...own,
      dependencies: {},
      devDependencies: { typescript: 'file:tools/typescript' },
      overrides: {},
    }),
    'source/tools/build/build.mjs': `import fs from 'node:fs'
      fs.mkdirSync('dist/cli', { recursive: true })
      fs.writeFileSync('dist/cli/bundle.js', '')
      fs.writeFileSync('dist/cli/conform.js', '#!/usr/bin/env node\\nconsole.log("built")', { mode: 0o755 })`,
    'source/tools/typescript/package.json': '{ "name": "typescript", "version": "1.0.0" }',
    'user/package.json': '{ "private": true }',
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  await cp(join(project, 'tools/build/prepare.mjs'), join(source, 'tools/build/prepare.mjs'))
  return { source, user }
}

async function succeed(...call: Parameters<typeof start>): Promise<string> {
  const { code, output, stdout } = await start(...call)
  if (code !== 0) throw new Error(`${call.slice(1).join(' ')} ended with ${code}: ${output}`)
  return stdout.trim()
}

t.test('an installation from git builds the package', async (t) => {
  const { source, user } = await folders(t)
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org']
  await succeed(source, 'git', 'init', '--quiet')
  await succeed(source, 'git', 'add', '--all')
  await succeed(source, 'git', ...author, 'commit', '--quiet', '--message', 'source')
  await succeed(user, 'npm', 'install', `git+file://${source}`)
  t.equal(await succeed(user, 'npx', '--no', '--', name), 'built')
})

t.test('an installation from a folder with development dependencies builds the package', async (t) => {
  const { source, user } = await folders(t)
  await succeed(source, 'npm', 'install', '--ignore-scripts')
  await succeed(user, 'npm', 'install', source)
  t.equal(await succeed(user, 'npx', '--no', '--', name), 'built')
})

t.test('an installation from a folder without them fails and names the command to run there', async (t) => {
  const { source, user } = await folders(t)
  // Otherwise `npm run --silent` sets the log level of this npm.
  const { code, output } = await start(user, 'npm', 'install', '--loglevel', 'error', source)
  t.not(code, 0)
  t.match(output, `${source} has no development dependencies`)
  t.match(output, 'Run `npm ci` in that folder, or install the package that `npm pack` writes there.')
})

t.test('a built folder needs no development dependencies', async (t) => {
  const { source, user } = await folders(t)
  await succeed(source, process.execPath, 'tools/build/build.mjs')
  await succeed(user, 'npm', 'install', source)
  t.equal(await succeed(user, 'npx', '--no', '--', name), 'built')
})
