// Installs programs that the tests need and npm does not provide: Chromium, curl and zsh.
import { spawnSync } from 'node:child_process'
import { findBrowser, findProgram } from './find-browser.mjs'

/** @param {string} message */
function giveUp(message) {
  console.error(`The tests need a program that npm does not install: ${message}`)
  process.exit(1)
}

/** @param {...string} options */
function aptGet(...options) {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = spawnSync('apt-get', options, { env: environment, encoding: 'utf8' })
  return { ok: run.status === 0, missing: run.error !== undefined, output: `${run.stdout ?? ''}${run.stderr ?? ''}` }
}

/**
 * Installs the first available package.
 * @param {string} program
 * @param {string[]} packages
 */
function install(program, packages) {
  if (process.getuid?.() !== 0 || aptGet('--version').missing) {
    giveUp(`${program}. Only root can install it; the Debian package is ${packages.join(' or ')}.`)
  }
  console.error(`Installing ${program} with apt-get for the tests (once) ...`)
  const attempt = (/** @type {string} */ name) => aptGet('install', '-y', '--no-install-recommends', name)
  if (packages.some((name) => attempt(name).ok)) return
  // The package lists may be missing or outdated.
  aptGet('update')
  const last = packages.map(attempt)
  if (!last.some(({ ok }) => ok)) giveUp(`apt-get could not install ${program}.\n${last.at(-1)?.output.trim()}`)
}

if (findBrowser() === undefined) {
  if (process.env.CONFORMANCE_BROWSER) {
    giveUp(`CONFORMANCE_BROWSER is ${process.env.CONFORMANCE_BROWSER}, which is not an executable file.`)
  }
  // Ubuntu and older Debian have only the full browser.
  install('Chromium', ['chromium-headless-shell', 'chromium'])
  if (findBrowser() === undefined) giveUp('Chromium was installed, but PATH has none of its known names.')
}
for (const name of ['curl', 'zsh']) if (findProgram(name) === undefined) install(name, [name])
