import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { readOwnBytes, readOwnFile } from '../../lib/files/read-input.js'
import { once } from '../../lib/made-once.js'

export function toolIdentity(): { name: string; version: string } {
  const file = new URL('../../../package.json', import.meta.url)
  const { name, version } = JSON.parse(readOwnFile(file)) as { name: string; version: string } // a file of this package
  return { name, version }
}

const ownSuite = new URL('../../../suites/', import.meta.url)

/**
 * The folder of the named suite; default: of the suite of this package.
 * @example suitePath('my-suite') // 'my-suite'
 */
export const suitePath = (named: string | undefined): string => named ?? fileURLToPath(ownSuite)

const built = fileURLToPath(new URL('../../', import.meta.url))

const excluded: ReadonlySet<string> = new Set(['test', 'tools'])

/** SHA-256 (hex) of names and contents of all program files. `certify` needs it three times. */
export const toolDigest = once(digestProgram)

async function digestProgram(): Promise<string> {
  const entries = await readdir(built, { recursive: true })
  const names = entries
    .map((name) => name.split(sep).join('/'))
    .filter((name) => /\.(?:c?js|css)$/.test(name) && !excluded.has(name.split('/')[0] ?? ''))
  const hash = createHash('sha256')
  for (const name of names.sort()) {
    const bytes = readOwnBytes(pathToFileURL(join(built, name)))
    hash.update(`${name}\n${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}
