/**
 * Runs `npm run test:release` if a change needs it, for .ci/run: node tools/tests/release-if-changed.mjs
 *
 * Compares the files with the branch main of the remote repository. The commit before HEAD is no base, because one submission can contain many
 * commits. In a clone of the submitted main, both are the same commit, and nothing names the main before it: the tests run, as without a remote.
 */
import { spawnSync } from 'node:child_process'

/** Files and folders that the release tests cover and `npm test` does not. */
const covered = [
  ...['package.json', 'package-lock.json', '.npmrc', 'Containerfile', '.containerignore', 'action.yml', 'README.md'],
  ...['api/', 'docs/', 'examples/', 'test/release/', 'tools/build/', 'tools/tests/'],
  // Public clients and the public wallet library are compared with them.
  ...['interface/', 'simulator/', 'reports/wording/signing.ts'],
  // The Action calls commands with options, and the servers of docs/implementing.md answer rows.
  ...['cli/', 'runner/', 'suites/'],
]

/** @param {...string} options @returns {string | undefined} nothing if the command failed */
function git(...options) {
  const { status, stdout } = spawnSync('git', options, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** @returns {string} why the tests run; empty if they need not run */
function reason() {
  const base = git('merge-base', 'HEAD', 'origin/main')
  if (base === undefined) return 'git knows no common commit with origin/main'
  if (base === git('rev-parse', 'HEAD')) return 'origin/main contains this commit, so the change is unknown'
  const changed = git('diff', '--name-only', base)
  if (changed === undefined) return 'git cannot compare with origin/main'
  const file = changed.split('\n').find((name) => covered.some((place) => name === place || name.startsWith(place)))
  return file === undefined ? '' : `${file} changed`
}

const because = reason()
if (because === '') console.log('No release tests: no file that they cover differs from origin/main.')
else {
  console.log(`Release tests: ${because}.`)
  const { status } = spawnSync('npm', ['run', 'test:release'], { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
