import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Names under which a Chromium is found on PATH; the headless shell first, because it starts three times as fast. */
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
 * @returns {string | undefined} the path of the first program of that name on PATH
 */
export function findProgram(name, environment = process.env) {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

/**
 * The Chromium that browser tests use: $CONFORMANCE_BROWSER (a path), else the first known name on PATH.
 * A $CONFORMANCE_BROWSER that is no executable file gives undefined: a wish that cannot be met is not passed over.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string | undefined} the path of the executable
 */
export function findBrowser(environment = process.env) {
  const wished = environment.CONFORMANCE_BROWSER
  if (wished) return isExecutable(wished) ? wished : undefined
  return names.map((name) => findProgram(name, environment)).find((path) => path !== undefined)
}
