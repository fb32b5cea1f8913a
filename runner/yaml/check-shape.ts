import type { ErrorObject } from 'ajv'
import { isJsonObject } from '../../lib/json/json.js'
import { pointerPart, pointerParts } from '../../lib/json/pointer.js'
import { nearest, suggestion } from '../../lib/suggest.js'
import type { Data } from '../../record/types/resolved-row.js'
import type { Shapes } from '../suite/shapes.js'
import type { Location } from '../suite/suite.js'
import type { FindingList } from './findings.js'
import {
  dataOf,
  type Entry,
  entriesOf,
  type ItemIn,
  itemsOf,
  type Located,
  type MemberIn,
  member,
  type NameIn,
  type ValueIn,
} from './located.js'
import type { FileKind, ShapeCheck, SuiteFile } from './suite-files.js'

/** Values below a broken pointer cannot be read. */
export interface ShapedFile<Shape = unknown> {
  file: SuiteFile
  kind: FileKind
  root: Located<Shape>
  /** Pointers of at most two parts, such as `/cases/3`. */
  broken: ReadonlySet<string>
}

export function checkShape(
  { file, kind, root }: Omit<ShapedFile, 'broken'>,
  check: ShapeCheck,
  findings: FindingList,
): ShapedFile {
  const errors = withPropertyNames(check(kind, dataOf(root))).filter(isInformative)
  const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties')
  for (const error of errors) {
    if (!isMisspeltIn(unknown, error)) report(error, root, findings)
  }
  return { file, kind, root, broken: new Set(errors.map(brokenPointer)) }
}

function brokenPointer({ instancePath, propertyName }: ErrorObject): string {
  const pointer = propertyName === undefined ? instancePath : `${instancePath}/${pointerPart(propertyName)}`
  return pointer.split('/').slice(0, 3).join('/')
}

/** With the type of the schema. */
export const filesOf = <Kind extends FileKind & keyof Shapes>(
  files: readonly ShapedFile[],
  kind: Kind,
): ShapedFile<Shapes[Kind]>[] => files.filter((file) => file.kind === kind) as ShapedFile<Shapes[Kind]>[] // by schema

/** Empty if the file as a whole is broken. */
export function validItems<Shape, Name extends NameIn<Shape>>(
  { root, broken }: ShapedFile<Shape>,
  name: Name,
): Located<ItemIn<MemberIn<Shape, Name>>>[] {
  if (isBrokenAsWhole(broken)) return []
  return itemsOf(member(root, name)).filter((_, index) => !broken.has(`/${name}/${index}`))
}

/** The valid members of a top-level map of all files of the kind. */
export const entriesIn = <Kind extends FileKind & keyof Shapes, Name extends NameIn<Shapes[Kind]>>(
  files: readonly ShapedFile[],
  kind: Kind,
  name: Name,
): Entry<ValueIn<MemberIn<Shapes[Kind], Name>>>[] =>
  filesOf(files, kind)
    .filter(({ broken }) => !isBrokenAsWhole(broken))
    .flatMap(({ root, broken }) =>
      entriesOf(member(root, name)).filter((entry) => !broken.has(`/${name}/${pointerPart(entry.name)}`)),
    )

const isBrokenAsWhole = (broken: ReadonlySet<string>): boolean =>
  [...broken].some((pointer) => pointer.split('/').length < 3)

/** ajv names the property only in the following error. */
function withPropertyNames(errors: readonly ErrorObject[]): ErrorObject[] {
  return errors.map((error, index) => {
    const next = errors[index + 1]
    return next?.keyword === 'propertyNames' ? { ...error, propertyName: String(next.params['propertyName']) } : error
  })
}

/** Errors inside a branch are more specific than `if`. A value of another type has its own error beside `oneOf`. */
const isInformative = ({ keyword, schemaPath, data }: ErrorObject): boolean =>
  keyword !== 'if' &&
  keyword !== 'propertyNames' &&
  !/\/oneOf\/\d+\//.test(schemaPath) &&
  (keyword !== 'oneOf' || isJsonObject(data as Data)) // as parsed

/** All alternatives of `oneOf` require keys. */
const alternativeKeys = ({ schema }: ErrorObject): string[] =>
  (schema as { required: string[] }[]).flatMap(({ required }) => required) // by suites/schema

const hasSeveralAlternatives = ({ params }: ErrorObject): boolean => Array.isArray(params['passingSchemas'])

function missingKeys(error: ErrorObject): string[] {
  if (error.keyword === 'required') return [String(error.params['missingProperty'])]
  return error.keyword === 'oneOf' && !hasSeveralAlternatives(error) ? alternativeKeys(error) : []
}

/** A misspelt key is not reported as missing, too. */
function isMisspeltIn(unknown: readonly ErrorObject[], error: ErrorObject): boolean {
  const missing = missingKeys(error)
  if (missing.length === 0) return false
  return unknown.some(
    (other) =>
      other.instancePath === error.instancePath &&
      missing.includes(nearest(String(other.params['additionalProperty']), keysOf(other)) ?? ''),
  )
}

function report(error: ErrorObject, root: Located, findings: FindingList): void {
  const parts = pointerParts(error.instancePath)
  const { node, entry } = locate(root, parts)
  const { location, message, hint } = describe(error, node, labelOf(parts, entry))
  findings.add(location, message, hint)
}

interface Description {
  location: Location
  message: string
  hint?: string | undefined
}

function describe(error: ErrorObject, node: Located, label: string): Description {
  const { keyword, params, parentSchema, propertyName } = error
  const { location } = node
  const key = (name: string): Location => (node.content instanceof Map && node.content.get(name)?.key) || location
  switch (keyword) {
    case 'additionalProperties': {
      const name = String(params['additionalProperty'])
      return { location: key(name), message: `unknown key ${quote(name)}`, hint: suggestion(name, keysOf(error)) }
    }
    case 'required':
    case 'oneOf': {
      if (!hasSeveralAlternatives(error)) {
        const missing = missingKeys(error)
        return { location, message: `missing key ${missing.map(quote).join(' or ')}`, hint: purpose(error, missing[0]) }
      }
      const keys = alternativeKeys(error)
      const message = `${label} has ${keys.map(quote).join(' and ')}`
      return { location: key(keys[1] ?? ''), message, hint: 'keep one of them' }
    }
    case 'type':
      return { location, message: `${label} must be ${expectedKinds(params['type'])}, not ${kindOf(node)}` }
    case 'enum':
      return unknownValue(error, node, label)
    case 'const':
      return { location, message: `${label} must be ${JSON.stringify(params['allowedValue'])} or omitted` }
    case 'pattern': {
      const hint = String(parentSchema?.['patternErrorMessage'] ?? `it must match ${String(params['pattern'])}`)
      if (propertyName !== undefined)
        return { location: key(propertyName), message: `${quote(propertyName)} is not a valid key here`, hint }
      return { location, message: `${label} cannot be ${quote(String(node.content))}`, hint }
    }
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return { location, message: `${label} is empty`, hint: fillHint(error) }
    default:
      return { location, message: `${label} ${error.message ?? 'does not match the schema'}` }
  }
}

function unknownValue({ params, parentSchema }: ErrorObject, node: Located, label: string): Description {
  const allowed = (Array.isArray(params['allowedValues']) ? params['allowedValues'] : []).filter(
    (value) => value !== null,
  )
  const title: unknown = parentSchema?.['title']
  const shown = typeof node.content === 'string' ? quote(node.content) : kindOf(node)
  const message = typeof title === 'string' ? `unknown ${title} ${shown}` : `${label} cannot be ${shown}`
  return { location: node.location, message, hint: suggestion(String(node.content), allowed.map(String)) }
}

function fillHint(error: ErrorObject): string {
  if (error.keyword === 'minLength') return 'give a value, or omit the key'
  const names = keysOf(error)
  const least = Number(error.params['limit'])
  return `give ${least > 1 ? `at least ${least} of` : 'at least one'}${names.length > 0 ? `: ${names.join(', ')}` : ', or omit the key'}`
}

function purpose({ parentSchema }: ErrorObject, key = ''): string | undefined {
  const { properties }: { properties?: Record<string, { description?: unknown }> } = Object(parentSchema)
  const description = properties?.[key]?.description
  return typeof description === 'string' ? description : undefined
}

const keysOf = ({ parentSchema }: ErrorObject): string[] => Object.keys(Object(parentSchema?.['properties']))

function locate(root: Located, parts: readonly string[]): { node: Located; entry: Entry | undefined } {
  let node = root
  let entry: Entry | undefined
  for (const part of parts) {
    entry = node.content instanceof Map ? node.content.get(part) : undefined
    const next = entry?.value ?? (Array.isArray(node.content) ? node.content[Number(part)] : undefined)
    if (!next) break
    node = next
  }
  return { node, entry }
}

function labelOf(parts: readonly string[], entry: Entry | undefined): string {
  if (entry) return quote(entry.name)
  const list = parts.at(-2)
  return list === undefined ? 'the file' : `an element of ${quote(list)}`
}

const quote = (text: string): string => JSON.stringify(text)

const kindNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'a map',
}

function expectedKinds(type: unknown): string {
  const types = Array.isArray(type) ? type.map(String) : String(type).split(',')
  return types.map((name) => kindNames[name] ?? name).join(' or ')
}

function kindOf({ content }: Located): string {
  if (content === null) return 'null (empty)'
  if (Array.isArray(content)) return 'a list'
  if (content instanceof Map) return 'a map'
  if (typeof content === 'string') return `the string ${quote(content)}`
  return `${typeof content === 'number' ? 'the number' : 'the boolean'} ${content}`
}
