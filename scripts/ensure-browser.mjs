// Sees to it that the browser tests find a Chromium; says nothing when there is one.
import { spawnSync } from 'node:child_process'
import { findBrowser } from './find-browser.mjs'

const advice =
  'Install Chromium (Debian: apt-get install chromium-headless-shell) or set CONFORMANCE_BROWSER to the path of a Chromium or Chrome.'

/** @param {string} message */
function giveUp(message) {
  console.error(`No browser for the report tests: ${message}\n${advice}`)
  process.exit(1)
}

/** @param {...string} options */
function aptGet(...options) {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const run = spawnSync('apt-get', options, { env: environment, encoding: 'utf8' })
  return { ok: run.status === 0, missing: run.error !== undefined, output: `${run.stdout ?? ''}${run.stderr ?? ''}` }
}

/** Debian's package, or where there is none (Ubuntu, older Debian) the full browser. */
function installWithApt() {
  const install = (/** @type {string} */ name) => aptGet('install', '-y', '--no-install-recommends', name)
  if (install('chromium-headless-shell').ok) return
  // Package lists that are missing or too old are the usual cause, and updating them is not needed otherwise.
  aptGet('update')
  if (install('chromium-headless-shell').ok) return
  const last = install('chromium')
  if (!last.ok) giveUp(`apt-get could not install it.\n${last.output.trim()}`)
}

if (findBrowser() === undefined) {
  if (process.env.CONFORMANCE_BROWSER) {
    giveUp(`CONFORMANCE_BROWSER is ${process.env.CONFORMANCE_BROWSER}, which is not an executable file.`)
  }
  if (process.getuid?.() !== 0 || aptGet('--version').missing) {
    giveUp(`none of its usual names is on PATH, and only root can install it with apt-get.`)
  }
  console.error('Installing chromium-headless-shell with apt-get for the report tests (once, about 15 seconds) ...')
  installWithApt()
  if (findBrowser() === undefined) giveUp('it was installed, but none of its usual names is on PATH.')
}
