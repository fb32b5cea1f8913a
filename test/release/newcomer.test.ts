/**
 * A newcomer follows docs/implementing.md in an empty folder: install, first server, run, fix, run. Each command and each
 * program is copied from the page, and each statement about the server is compared with it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import t from 'tap'
import { readBlocks } from '../tool/documented-commands.js'
import { packProgram } from './packed-program.js'
import { project } from './separate-packages.js'
import { start } from './start-program.js'

const page = await readFile(join(project, 'docs/implementing.md'), 'utf8')
const [server = '', fix = ''] = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, content = '']) => content)
const commands = readBlocks(project)
  .filter(({ place }) => place.startsWith('docs/implementing.md:'))
  .flatMap((block) => block.commands.map(({ text }) => text))

const folder = await mkdtemp(join(tmpdir(), 'newcomer-'))
t.teardown(() => rm(folder, { recursive: true, force: true }))

/** The command of the page that begins so, with its program of the installed package. */
function documented(begin: string): string[] {
  const found = commands.find((text) => text.startsWith(begin))
  if (found === undefined) throw new Error(`docs/implementing.md has no command ${begin}`)
  return found.split(' ')
}

let running: ChildProcess | undefined
async function stop(): Promise<void> {
  if (!running) return
  const closed = once(running, 'close')
  running.kill()
  await closed
}
t.teardown(stop)

async function serve(code: string): Promise<void> {
  await stop()
  await writeFile(join(folder, 'server.mjs'), code)
  const env = { ...process.env, PORT: '0' }
  const server = spawn(process.execPath, ['server.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] })
  running = server
  const ended = once(server, 'exit').then(([code]) => {
    throw new Error(`the server of the page ended with ${code} before it printed its address`)
  })
  await Promise.race([once(server.stdout, 'data'), ended])
  // Its later end is no error.
  ended.catch(() => undefined)
}

/** Without colors. */
async function run([program = '', ...words]: string[]): Promise<{ code: number; output: string }> {
  const { code, output } = await start(folder, program, ...words)
  return { code, output: stripVTControlCharacters(output) }
}

t.test('install, first server, run, fix, run', async (t) => {
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  const archive = await packProgram(t)
  // The page installs express beside the package.
  const packages = [archive, 'express']
  const installed = await start(folder, 'npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', ...packages)
  t.equal(installed.code, 0, installed.output)
  await serve(server)

  const first = await run(documented('npx participant-conformance run --operations contract-by-id'))
  t.equal(first.code, 1, first.output)
  t.match(first.output, 'judged by profile interface (the version of the target is unknown)')
  t.match(first.output, /✗ 10 rows {2}server error 500/, 'the failure that the page describes')
  t.match(first.output, /\n {4}1\. \S.* \(request under test\): POST \/v2\/contracts\/contract-by-id returned 500: /)
  for (const [, operation = '', call = ''] of first.output.matchAll(
    /rows? needs? (\S+): (\w+ \S+) is not implemented \(404/g,
  ))
    t.notOk(server.includes(`'${call.split(' ')[1] ?? ''}'`), `the server has no ${operation}`)
  t.notMatch(first.output, 'mandatory, observed', 'no expectation of the reference')

  await serve(server.replace('app.post(', `${fix}\napp.post(`))
  const second = await run(
    documented('npx participant-conformance run --operations contract-by-id --failed-of results'),
  )
  t.match(second.output, /: \d+ of \d+ rows passed, 0 failed/)
  t.equal(second.code, 5, 'blocked rows remain')
})
