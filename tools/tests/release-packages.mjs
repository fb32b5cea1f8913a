/**
 * Installs the packages of the release tests in their own folder, and runs the tests beside them:
 *   node tools/tests/release-packages.mjs [folder]
 * The folder (default: test/release/packages) has package.json, its lock, and *.test.mjs. The installation stays until the lock changes.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** @param {string} folder */
function fingerprint(folder) {
  const hash = createHash('sha256').update(process.version)
  for (const name of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(folder, name)))
  return hash.digest('hex')
}

/** Installs the packages of the lock, unless they are installed. @param {string} folder @returns {boolean} */
function install(folder) {
  const marker = join(folder, 'node_modules', '.fingerprint')
  const wanted = fingerprint(folder)
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return true
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  const { status } = spawnSync('npm', ['ci', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) return false
  mkdirSync(dirname(marker), { recursive: true })
  writeFileSync(marker, wanted)
  return true
}

/** Prints the output of a test only if it fails. @param {string} file */
function passes(file) {
  const run = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 120_000 })
  const [counts = ''] = /^# \{ total: .*\}$/m.exec(run.stdout) ?? []
  if (run.status === 0) console.log(`${file} passed ${counts}`)
  else console.error(`${run.stdout}${run.stderr}\n${file} failed (${run.error?.message ?? `exit code ${run.status}`})`)
  return run.status === 0
}

const { 2: folder = 'test/release/packages' } = process.argv
if (!install(folder)) {
  console.error(`npm could not install the packages of ${folder}. Can it reach the package registry?`)
  process.exit(1)
}
const files = readdirSync(folder).filter((name) => name.endsWith('.test.mjs'))
const failed = files.filter((name) => !passes(join(folder, name)))
process.exit(failed.length > 0 || files.length === 0 ? 1 : 0)
