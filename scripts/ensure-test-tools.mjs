// Sees to it that the tests find what npm does not bring: a Chromium, curl and zsh. Says nothing when they are there.
import { spawnSync } from 'node:child_process'
import { findBrowser, findProgram } from './find-browser.mjs'

/** @param {string} message */
function giveUp(message) {
  console.error(`The tests need more than npm brings: ${message}`)
  process.exit(1)
}

/** @param {...string} options */
function aptGet(...options) {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = spawnSync('apt-get', options, { env: environment, encoding: 'utf8' })
  return { ok: run.status === 0, missing: run.error !== undefined, output: `${run.stdout ?? ''}${run.stderr ?? ''}` }
}

/**
 * Installs the first of the packages that can be had.
 * @param {string} what
 * @param {string[]} packages
 */
function install(what, packages) {
  if (process.getuid?.() !== 0 || aptGet('--version').missing) {
    giveUp(`${what}, which only root could install here. Debian has it as ${packages.join(' or ')}.`)
  }
  console.error(`Installing ${what} with apt-get for the tests (once) ...`)
  const attempt = (/** @type {string} */ name) => aptGet('install', '-y', '--no-install-recommends', name)
  if (packages.some((name) => attempt(name).ok)) return
  // Package lists that are missing or too old are the usual cause, and updating them is not needed otherwise.
  aptGet('update')
  const last = packages.map(attempt)
  if (!last.some(({ ok }) => ok)) giveUp(`apt-get could not install ${what}.\n${last.at(-1)?.output.trim()}`)
}

if (findBrowser() === undefined) {
  if (process.env.CONFORMANCE_BROWSER) {
    giveUp(`CONFORMANCE_BROWSER is ${process.env.CONFORMANCE_BROWSER}, which is no executable file.`)
  }
  // Ubuntu and older Debian have the full browser only.
  install('a Chromium', ['chromium-headless-shell', 'chromium'])
  if (findBrowser() === undefined) giveUp('Chromium was installed, but none of its usual names is on PATH.')
}
for (const name of ['curl', 'zsh']) if (findProgram(name) === undefined) install(name, [name])
