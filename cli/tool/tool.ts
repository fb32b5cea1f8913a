import { fileURLToPath } from 'node:url'
import { readOwnFile } from '../../lib/files/own-file.js'

/** Name and version of this tool, from its package.json. */
export function toolIdentity(): { name: string; version: string } {
  const file = new URL('../../../package.json', import.meta.url)
  const { name, version } = JSON.parse(readOwnFile(file)) as { name: string; version: string } // our own file
  return { name, version }
}

const ownSuite = new URL('../../../suites/', import.meta.url)

/** The folder of a suite: that which comes with the tool, unless another one is named. */
export const suitePath = (named: string | undefined): string => named ?? fileURLToPath(ownSuite)
