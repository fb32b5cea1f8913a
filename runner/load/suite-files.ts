import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { FileKind } from './schemas.js'

export interface SuiteFile {
  /** Below the folder, with `/`. */
  name: string
  /** As locations give it: relative to the current directory when below it. */
  shown: string
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

/** All YAML files of the folder, in the order of their names. Throws what the file system throws. */
export async function readSuiteFiles(folder: string): Promise<SuiteFile[]> {
  const entries = await readdir(folder, { recursive: true })
  const names = entries.map((name) => name.split(sep).join('/')).filter((name) => /\.ya?ml$/i.test(name))
  return Promise.all(
    names.sort().map(async (name) => {
      const path = resolve(folder, name)
      const kind = kinds.find(([pattern]) => pattern.test(name))?.[1]
      return { name, shown: shownPath(path), kind, text: await readFile(path, 'utf8') }
    }),
  )
}

/** By the names that locations give them. */
export const textsOf = (files: readonly SuiteFile[]): Map<string, string> =>
  new Map(files.map(({ shown, text }) => [shown, text]))

/** SHA-256 (hex) over names and contents; each is preceded by its length, so that nothing can move from one to another. */
export function digestOf(files: readonly SuiteFile[]): string {
  const hash = createHash('sha256')
  for (const { name, text } of files) {
    for (const part of [name, text]) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  }
  return hash.digest('hex')
}

export function shownPath(path: string): string {
  const below = relative(process.cwd(), path)
  const outside = below === '' || below.startsWith('..') || isAbsolute(below)
  return outside ? path : below.split(sep).join('/')
}
