/** Installs releases of Node from the registry, by the npm package `node`. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Tested releases, oldest first: the first and the newest release of each line. `engines` and docs/reference/node-releases.md state the same. */
export const testedReleases = [
  ...['20.10.0', '20.18.3', '20.20.2'],
  ...['22.11.0', '22.23.3'],
  ...['24.11.0', '24.21.0'],
  ...['26.0.0', '26.10.0'],
]

const cache = resolve('node_modules/.cache/node-releases')

/**
 * The environment without the variables of npm about this project.
 * @param {Record<string, string>} more
 */
export const cleanEnvironment = (more = {}) => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(?!config_)|npm_config_local_prefix$|INIT_CWD$|NODE_TEST_CONTEXT$|TAP)/i.test(name),
    ),
  ),
  ...more,
})

/** @param {string} release @returns {string} the folder of its `node` */
export function installRelease(release) {
  const bin = join(installed(`node@${release}`), 'node/bin')
  const version = execFileSync(join(bin, 'node'), ['--version'], { encoding: 'utf8' }).trim()
  if (version !== `v${release}`) throw new Error(`the package node@${release} contains ${version}`)
  return bin
}

/** @returns {string} the folder of an `npm` for all tested releases: npm 11 needs Node 20.17 */
export const installNpm = () => join(installed('npm@10'), '.bin')

/** @returns {string} the newest release of the registry */
export const newestRelease = () => npmOutput(['view', 'node', 'version'], '.').trim()

/** @param {string} wanted @returns {string} its node_modules */
function installed(wanted) {
  const folder = join(cache, wanted)
  const marker = join(folder, 'installed')
  if (!existsSync(marker)) {
    mkdirSync(folder, { recursive: true })
    // The install script of the package `node` provides the binary.
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }))
    npmOutput(['install', '--no-audit', '--no-fund', '--prefer-offline', wanted], folder)
    writeFileSync(marker, '')
  }
  return join(folder, 'node_modules')
}

/** @param {string[]} options @param {string} cwd */
function npmOutput(options, cwd) {
  const npm = spawnSync('npm', options, { cwd, env: cleanEnvironment(), encoding: 'utf8', timeout: 300_000 })
  if (npm.status === 0) return npm.stdout
  const reason = npm.error?.message ?? npm.stderr.trim()
  throw new Error(
    `npm ${options.join(' ')} failed. These tests install releases of Node from the package registry. Is it reachable?\n${reason}`,
  )
}
