/**
 * Installs public clients in their own folder and runs their tests:
 *   node tools/tests/acceptance.mjs [folder] [--where-possible]
 * The folder (default: tools/acceptance) has package.json, its lock, and *.test.mjs. The installation stays until the lock changes. With
 * --where-possible, packages that the registry cannot provide are no error, so that `npm test` passes without them.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Codes of npm if the registry is unreachable, rejects the request, or lacks a package. */
const unavailable = /^(ETARGET|E4\d\d|E5\d\d|ENOTFOUND|EAI_AGAIN|ECONN\w+|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)$/

/** @param {string} folder */
function fingerprint(folder) {
  const hash = createHash('sha256').update(process.version)
  for (const name of ['package.json', 'package-lock.json']) hash.update(readFileSync(join(folder, name)))
  return hash.digest('hex')
}

/**
 * Installs the packages of the lock, unless they are installed.
 * @param {string} folder
 * @returns {{ code: string, summary: string } | undefined} the problem
 */
function install(folder) {
  const marker = join(folder, 'node_modules', '.fingerprint')
  const wanted = fingerprint(folder)
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return undefined
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  const timeouts = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000']
  const npm = spawnSync('npm', ['ci', '--json', ...options, ...timeouts], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 120_000,
  })
  if (npm.status === 0) {
    mkdirSync(dirname(marker), { recursive: true })
    writeFileSync(marker, wanted)
    return undefined
  }
  if (npm.error)
    return { code: /** @type {NodeJS.ErrnoException} */ (npm.error).code ?? '', summary: npm.error.message }
  return problemIn(npm.stdout, npm.stderr)
}

/**
 * @param {string} stdout
 * @param {string} stderr
 */
function problemIn(stdout, stderr) {
  try {
    const { code, summary } = JSON.parse(stdout).error
    return { code: String(code), summary: String(summary).trim().split('\n')[0] ?? '' }
  } catch {
    return { code: 'UNKNOWN', summary: stderr.trim() || 'npm failed without a message' }
  }
}

/**
 * Prints the output of a test only if it fails.
 * @param {string} file
 */
function passes(file) {
  const run = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 120_000 })
  const [counts = ''] = /^# \{ total: .*\}$/m.exec(run.stdout) ?? []
  if (run.status === 0) console.log(`${file} passed ${counts}`)
  else console.error(`${run.stdout}${run.stderr}\n${file} failed (${run.error?.message ?? `exit code ${run.status}`})`)
  return run.status === 0
}

const { [0]: folder = 'tools/acceptance' } = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const wherePossible = process.argv.includes('--where-possible')
const problem = install(folder)
if (problem) {
  const excused = wherePossible && unavailable.test(problem.code)
  const print = excused ? console.log : console.error
  print(
    `The tests in ${folder} did not run, because npm could not install their packages: ${problem.code} ${problem.summary}`,
  )
  process.exit(excused ? 0 : 1)
}
const files = readdirSync(folder).filter((name) => name.endsWith('.test.mjs'))
const failed = files.filter((name) => !passes(join(folder, name)))
process.exit(failed.length > 0 || files.length === 0 ? 1 : 0)
