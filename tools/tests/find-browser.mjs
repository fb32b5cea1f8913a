/** Finds the programs of the tests on PATH. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Names of Chromium on PATH. The headless shell starts three times as fast. */
const names = ['chromium-headless-shell', 'chromium', 'google-chrome']

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * @param {string} name
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string | undefined} path of the first program of that name
 */
export function findProgram(name, environment = process.env) {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

/**
 * Chromium for the browser tests: the path in $CONFORMANCE_BROWSER, or the first known name on PATH. An invalid $CONFORMANCE_BROWSER gives
 * undefined.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string | undefined} the path of the executable
 */
export function findBrowser(environment = process.env) {
  const chosen = environment.CONFORMANCE_BROWSER
  if (chosen) return isExecutable(chosen) ? chosen : undefined
  return names.map((name) => findProgram(name, environment)).find((path) => path !== undefined)
}
