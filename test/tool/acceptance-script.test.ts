/** The script for acceptance tests: its installation, and the failures that it excuses. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const script = fileURLToPath(new URL('../../../tools/tests/acceptance.mjs', import.meta.url))

const passing = "console.log('TAP version 14\\nok 1\\n1..1\\n# { total: 1, pass: 1 }')"
const failing = "console.log('not ok 1 - it rains'); process.exitCode = 1"

interface Folder {
  dependencies?: Record<string, string>
  /** Default: the dependencies. */
  locked?: Record<string, string>
  test: string
}

function folderWith(t: Test, { dependencies = {}, locked = dependencies, test }: Folder): string {
  const folder = mkdtempSync(join(tmpdir(), 'acceptance-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const installed = Object.entries(locked).map(([name, version]) => [`node_modules/${name}`, { version }])
  const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content))
  write('package.json', { name: 'apart', version: '1.0.0', private: true, dependencies })
  write('package-lock.json', {
    ...{ name: 'apart', version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: { '': { name: 'apart', version: '1.0.0', dependencies: locked }, ...Object.fromEntries(installed) },
  })
  writeFileSync(join(folder, 'a.test.mjs'), test)
  return folder
}

interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

const run = (folder: string, options: string[], registry: string): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, npm_config_registry: registry, npm_config_cache: join(folder, 'cache') }
    const child = spawn(process.execPath, [script, folder, ...options], { env })
    const outcome: Outcome = { code: null, stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      outcome.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      outcome.stderr += text
    })
    child.on('error', reject).on('close', (code) => resolve({ ...outcome, code }))
  })

/** A registry with one package, `held` 2.0.0. */
async function smallRegistry(t: Test): Promise<string> {
  const dist = { tarball: 'http://127.0.0.1:1/held.tgz', shasum: '0'.repeat(40) }
  const held = {
    name: 'held',
    'dist-tags': { latest: '2.0.0' },
    versions: { '2.0.0': { name: 'held', version: '2.0.0', dist } },
  }
  const server = createServer(({ url }, response) =>
    response.writeHead(url === '/held' ? 200 : 404).end(JSON.stringify(url === '/held' ? held : {})),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a server that listens on TCP has one
}

const nowhere = 'http://127.0.0.1:1'
const lenient = ['--where-possible']

t.test('the installation stays, and the test decides', async (t) => {
  const folder = folderWith(t, { test: passing })
  const marker = join(folder, 'node_modules', '.fingerprint')
  t.match(await run(folder, [], nowhere), {
    code: 0,
    stdout: /a\.test\.mjs passed # { total: 1, pass: 1 }/,
    stderr: '',
  })
  const kept = join(folder, 'node_modules', 'kept')
  writeFileSync(kept, '')
  await run(folder, [], nowhere)
  t.doesNotThrow(() => rmSync(kept), 'no new installation')
  writeFileSync(kept, '')
  writeFileSync(marker, 'of another lock')
  await run(folder, [], nowhere)
  t.throws(() => rmSync(kept), 'a new installation')
  writeFileSync(join(folder, 'a.test.mjs'), failing)
  const { code, stderr } = await run(folder, lenient, nowhere)
  t.equal(code, 1)
  for (const text of ['not ok 1 - it rains', 'a.test.mjs failed (exit code 1)']) t.ok(stderr.includes(text), text)
})

t.test('with --where-possible an unavailable package is excused in one line with the reason', async (t) => {
  const folder = folderWith(t, { dependencies: { unheld: '1.0.0' }, test: failing })
  const excused = await run(folder, lenient, await smallRegistry(t))
  t.match(excused, { code: 0, stdout: /E404 /, stderr: '' })
  t.match(excused.stdout, /^The tests in .* did not run, because npm could not install their packages: .*\n$/)
  t.match(await run(folder, [], nowhere), { code: 1, stdout: '', stderr: /ECONNREFUSED / }, 'otherwise it is an error')
})

t.test('a wrong lock and a folder without tests are never excused', async (t) => {
  const wrong = folderWith(t, { dependencies: { held: '2.0.0' }, locked: { held: '1.0.0' }, test: passing })
  t.match(await run(wrong, lenient, await smallRegistry(t)), { code: 1, stdout: '', stderr: /EUSAGE / })
  const empty = folderWith(t, { test: passing })
  rmSync(join(empty, 'a.test.mjs'))
  t.match(await run(empty, lenient, nowhere), { code: 1 })
})
