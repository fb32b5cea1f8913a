/** The script that installs the packages of the release tests and runs the tests beside them. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const script = fileURLToPath(new URL('../../../tools/tests/release-packages.mjs', import.meta.url))

const passing = "console.log('TAP version 14\\nok 1\\n1..1\\n# { total: 1, pass: 1 }')"
const failing = "console.log('not ok 1 - it rains'); process.exitCode = 1"

/** `locked`: dependencies in the lock. */
function folderWith(t: Test, dependencies: Record<string, string> = {}, locked = dependencies): string {
  const folder = t.testdir({})
  const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content))
  const root = { name: 'separate', version: '1.0.0' }
  write('package.json', { ...root, private: true, dependencies })
  const installed = Object.entries(locked).map(([name, version]) => [`node_modules/${name}`, { version }])
  write('package-lock.json', {
    ...root,
    lockfileVersion: 3,
    requires: true,
    packages: { '': { ...root, dependencies: locked }, ...Object.fromEntries(installed) },
  })
  writeFileSync(join(folder, 'a.test.mjs'), passing)
  return folder
}

/** Without a registry. */
function run(folder: string): SpawnSyncReturns<string> {
  const unreachable = { npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' }
  const env = { ...process.env, ...unreachable, npm_config_cache: join(folder, 'cache') }
  return spawnSync(process.execPath, [script, folder], { env, encoding: 'utf8' })
}

t.test('the installation stays, and the test decides', (t) => {
  const folder = folderWith(t)
  const marker = join(folder, 'node_modules', '.fingerprint')
  t.match(run(folder), { status: 0, stdout: /a\.test\.mjs passed # { total: 1, pass: 1 }/, stderr: '' })
  const kept = join(folder, 'node_modules', 'kept')
  writeFileSync(kept, '')
  run(folder)
  t.doesNotThrow(() => rmSync(kept), 'no new installation')
  writeFileSync(kept, '')
  writeFileSync(marker, 'of another lock')
  run(folder)
  t.throws(() => rmSync(kept), 'a new installation')
  writeFileSync(join(folder, 'a.test.mjs'), failing)
  t.match(run(folder), { status: 1, stderr: /not ok 1 - it rains[\s\S]*a\.test\.mjs failed \(exit code 1\)/ })
  t.end()
})

t.test('an unavailable package, a wrong lock and a folder without tests are failures', (t) => {
  const cause = /could not install the packages of .*Can it reach the package registry\?/
  t.match(run(folderWith(t, { unheld: '1.0.0' })), { status: 1, stdout: '', stderr: cause })
  t.match(run(folderWith(t, { held: '2.0.0' }, { held: '1.0.0' })), { status: 1, stderr: cause })
  const empty = folderWith(t)
  rmSync(join(empty, 'a.test.mjs'))
  t.match(run(empty), { status: 1 })
  t.end()
})
