import { readFileSync } from 'node:fs'

/** Name and version of this tool, from its package.json. */
export function toolIdentity(): { name: string; version: string } {
  const file = new URL('../../package.json', import.meta.url)
  const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string } // our own file
  return { name, version }
}

/** The suite that comes with the tool. */
export const suiteFolder = new URL('../../suites/', import.meta.url)
