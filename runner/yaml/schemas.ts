import type { ErrorObject } from 'ajv'
import type { Data } from '../../record/types/resolved-row.js'

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
