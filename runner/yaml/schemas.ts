/** The compiled JSON Schemas of YAML files. */
import type { ErrorObject } from 'ajv'
import type { Data } from '../../record/types/resolved-row.js'

/** Kinds of suite files, the target file and the waivers; each has a schema of that name. */
export type FileKind = keyof typeof import('./suite-checks.js')

/** Returns the violations of the schema. */
export type ShapeCheck = (kind: FileKind, value: Data) => ErrorObject[]

/** Loads the checks that the build generates from the schemas; few commands need them. */
export async function loadSchemas(): Promise<ShapeCheck> {
  const checks = await import('./suite-checks.js')
  return (kind, value) => {
    const check = checks[kind]
    return check(value) ? [] : [...(check.errors ?? [])]
  }
}
