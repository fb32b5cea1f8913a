import type { ErrorObject } from 'ajv'
import type { Data } from '../../record/types/resolved-row.js'

/** The kinds of suite files, the target file and the waivers; each has a schema of that name. */
export type FileKind = keyof typeof import('./suite-checks.js')

/** Checks the plain value of a file; empty: it fits. */
export type ShapeCheck = (kind: FileKind, value: Data) => ErrorObject[]

/** The schemas of all kinds of files, as the build has made code of them; loaded where a file is read, which few commands do. */
export async function loadSchemas(): Promise<ShapeCheck> {
  const checks = await import('./suite-checks.js')
  return (kind, value) => {
    const check = checks[kind]
    return check(value) ? [] : [...(check.errors ?? [])]
  }
}
