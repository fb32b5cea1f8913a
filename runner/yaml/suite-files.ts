import { createHash } from 'node:crypto'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { ErrorObject } from 'ajv'
import { InputError, inputReason } from '../../lib/files/file-errors.js'
import { filesBelow, isPortable } from '../../lib/files/paths.js'
import { readInputTextSync } from '../../lib/files/read-input.js'
import type { Data } from '../../record/types/resolved-row.js'

export interface SuiteFile {
  /** Below the folder, separated by `/`. */
  name: string
  /** Undefined for an unexpected YAML file. */
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

/** Of all files; the included suite has one MiB. */
const maxBytes = 64 * 1024 * 1024

/** Ordered by name. Rejects with `InputError`. */
export async function readSuiteFiles(folder: string): Promise<SuiteFile[]> {
  const found = await filesBelow(folder)
  const link = found.find(({ isLinkToFolder }) => isLinkToFolder)
  // Its files would be missing without a message.
  if (link)
    throw new InputError(folder, `${link.name} is a symbolic link to a folder; replace it with a copy of the folder`)
  let total = 0
  return found
    .filter(({ name }) => /\.ya?ml$/i.test(name))
    .map(({ name }) => {
      // No certificate can name it, which would show only after the run.
      if (!isPortable(name))
        throw new InputError(folder, `${JSON.stringify(name)} has a backslash or a control character; rename the file`)
      const path = resolve(folder, name)
      const kind = kinds.find(([pattern]) => pattern.test(name))?.[1]
      const text = textOf(path, name, folder)
      total += Buffer.byteLength(text)
      if (total > maxBytes) throw new InputError(folder, 'its files exceed 64 MiB in total')
      return { name, kind, text }
    })
}

/** Findings name the folder. Throws `InputError`. */
function textOf(path: string, name: string, folder: string): string {
  try {
    return readInputTextSync(path, 'a suite file')
  } catch (error) {
    throw new InputError(folder, `${name}: ${inputReason(error)}`, error)
  }
}

export const textsOf = (files: readonly SuiteFile[]): Map<string, string> =>
  new Map(files.map(({ name, text }) => [name, text]))

/** SHA-256 (hex). The length precedes each name and content, so different suites have different inputs. */
export function suiteDigest(files: readonly SuiteFile[]): string {
  const hash = createHash('sha256')
  for (const { name, text } of files) {
    for (const part of [name, text]) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  }
  return hash.digest('hex')
}

/** Relative if it is below the current directory. */
export function shownPath(path: string): string {
  const relativePath = relative(process.cwd(), path)
  const isOutside = relativePath === '' || relativePath.startsWith('..') || isAbsolute(relativePath)
  return isOutside ? path : relativePath.split(sep).join('/')
}

/** Each kind has a schema of that name. */
export type FileKind = keyof typeof import('./suite-checks.js')

export type ShapeCheck = (kind: FileKind, value: Data) => ErrorObject[]

/** Few commands need the generated checks. */
export async function loadSchemas(): Promise<ShapeCheck> {
  const checks = await import('./suite-checks.js')
  return (kind, value) => {
    const check = checks[kind]
    return check(value) ? [] : [...(check.errors ?? [])]
  }
}
