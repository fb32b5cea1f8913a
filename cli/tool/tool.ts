import { fileURLToPath } from 'node:url'
import { readOwnFile } from '../../lib/files/read-input.js'

export function toolIdentity(): { name: string; version: string } {
  const file = new URL('../../../package.json', import.meta.url)
  const { name, version } = JSON.parse(readOwnFile(file)) as { name: string; version: string } // a file of this package
  return { name, version }
}

const ownSuite = new URL('../../../suites/', import.meta.url)

export const suitePath = (named: string | undefined): string => named ?? fileURLToPath(ownSuite)
