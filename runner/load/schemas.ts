import { readdir, readFile } from 'node:fs/promises'
import { Ajv, type ErrorObject } from 'ajv'
import type { Data } from '../../record/resolved-row.js'

/** The kinds of suite files, the target file and the waivers; each has a schema of that name. */
export type FileKind =
  | 'suite'
  | 'outline'
  | 'rules'
  | 'situations'
  | 'profile'
  | 'requests'
  | 'sequences'
  | 'actors'
  | 'fixtures'
  | 'probes'
  | 'cases'
  | 'target'
  | 'waivers'

/** Checks the plain value of a file; empty: it fits. */
export type ShapeCheck = (kind: FileKind, value: Data) => ErrorObject[]

const folder = new URL('../../../suites/schema/', import.meta.url)
let loaded: Promise<ShapeCheck> | undefined

/** The schemas of all kinds of files, read once per process. Throws what the file system throws: they belong to the package. */
export function loadSchemas(): Promise<ShapeCheck> {
  loaded ??= compile()
  return loaded
}

async function compile(): Promise<ShapeCheck> {
  // What is read once per process need not be read by fast code.
  const code = { optimize: false }
  const ajv = new Ajv({ allErrors: true, verbose: true, strictTypes: true, allowUnionTypes: true, code })
  // What editors show in place of "does not match pattern"; ajv only has to know that it is none of its own.
  ajv.addKeyword('patternErrorMessage')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.schema.json'))
  await Promise.all(
    names.map(async (name) => ajv.addSchema(JSON.parse(await readFile(new URL(name, folder), 'utf8')), name)),
  )
  return (kind, value) => {
    const validate = ajv.getSchema(`${kind}.schema.json`)
    if (!validate) throw new Error(`there is no schema for ${kind} files`)
    return validate(value) === true ? [] : (validate.errors ?? [])
  }
}
