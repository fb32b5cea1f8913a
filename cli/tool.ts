import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Name and version of this tool, from its package.json. */
export function toolIdentity(): { name: string; version: string } {
  const file = new URL('../../package.json', import.meta.url)
  const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string } // our own file
  return { name, version }
}

const ownSuite = new URL('../../suites/', import.meta.url)

/** The folder of a suite: that which comes with the tool, unless another one is named. */
export const suitePath = (named: string | undefined): string => named ?? fileURLToPath(ownSuite)
