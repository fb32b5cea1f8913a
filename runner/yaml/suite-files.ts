import { createHash } from 'node:crypto'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { filesBelow } from '../../lib/files/folder.js'
import { InputError } from '../../lib/files/input-error.js'
import { readInputSync } from '../../lib/files/read-input.js'
import type { FileKind } from './schemas.js'

export interface SuiteFile {
  /** Below the folder, with `/`: as locations give it, and so records. */
  name: string
  /** Undefined: a YAML file where none is expected. */
  kind: FileKind | undefined
  text: string
}

const kinds: readonly [RegExp, FileKind][] = [
  [/^suite\.yaml$/, 'suite'],
  [/^outline\.yaml$/, 'outline'],
  [/^rules\/[^/]+\.yaml$/, 'rules'],
  [/^situations\.yaml$/, 'situations'],
  [/^profiles\/[^/]+\.yaml$/, 'profile'],
  [/^requests(?:\/[^/]+)?\.yaml$/, 'requests'],
  [/^sequences\.yaml$/, 'sequences'],
  [/^actors\.yaml$/, 'actors'],
  [/^fixtures(?:\/[^/]+)?\.yaml$/, 'fixtures'],
  [/^probes\.yaml$/, 'probes'],
  [/^cases\/[^/]+\/[^/]+\.yaml$/, 'cases'],
]

/** Bytes of all files together; the suite that comes with the program has one. */
const maxBytes = 64 * 1024 * 1024

/** All YAML files of the folder, in the order of their names. Rejects with `InputError`. */
export async function readSuiteFiles(folder: string): Promise<SuiteFile[]> {
  const found = await filesBelow(folder)
  const link = found.find(({ isLinkToFolder }) => isLinkToFolder)
  // What is in it would be missing from the suite, and nothing would say so.
  if (link)
    throw new InputError(folder, `${link.name} is a symbolic link to a folder; put a copy of that folder in its place`)
  let total = 0
  return found
    .filter(({ name }) => /\.ya?ml$/i.test(name))
    .map(({ name }) => {
      const path = resolve(folder, name)
      const kind = kinds.find(([pattern]) => pattern.test(name))?.[1]
      const bytes = readInputSync(path, 'a suite file')
      total += bytes.length
      if (total > maxBytes) throw new InputError(folder, 'its files are larger than 64 MiB together')
      return { name, kind, text: bytes.toString('utf8') }
    })
}

/** By the names that locations give them. */
export const textsOf = (files: readonly SuiteFile[]): Map<string, string> =>
  new Map(files.map(({ name, text }) => [name, text]))

/** SHA-256 (hex) over names and contents; each is preceded by its length, so that nothing can move from one to another. */
export function digestOf(files: readonly SuiteFile[]): string {
  const hash = createHash('sha256')
  for (const { name, text } of files) {
    for (const part of [name, text]) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  }
  return hash.digest('hex')
}

/** As messages show it: relative to the current directory when below it. */
export function shownPath(path: string): string {
  const below = relative(process.cwd(), path)
  const outside = below === '' || below.startsWith('..') || isAbsolute(below)
  return outside ? path : below.split(sep).join('/')
}
