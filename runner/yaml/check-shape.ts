import type { ErrorObject } from 'ajv'
import { nearest, suggestion } from '../../lib/suggest.js'
import type { Location } from '../suite/suite.js'
import type { FindingList } from './finding-list.js'
import { dataOf, type Entry, entriesOf, itemsOf, type Located, member } from './located.js'
import type { FileKind, ShapeCheck } from './schemas.js'
import type { SuiteFile } from './suite-files.js'

/** A file whose shape has been checked: what lies under a broken pointer cannot be read. */
export interface ShapedFile {
  file: SuiteFile
  kind: FileKind
  root: Located
  /** Pointers of at most two parts, as `/cases/3`. */
  broken: ReadonlySet<string>
}

/** Holds a file against the schema of its kind; whatever does not fit becomes a finding at the very location. */
export function checkShape(
  { file, kind, root }: Omit<ShapedFile, 'broken'>,
  check: ShapeCheck,
  findings: FindingList,
): ShapedFile {
  const errors = withPropertyNames(check(kind, dataOf(root))).filter(isInformative)
  const unknown = errors.filter(({ keyword }) => keyword === 'additionalProperties')
  for (const error of errors) {
    if (!isMisspelt(error, unknown)) report(error, root, findings)
  }
  return { file, kind, root, broken: new Set(errors.map(brokenPointer)) }
}

function brokenPointer({ instancePath, propertyName }: ErrorObject): string {
  const pointer = propertyName === undefined ? instancePath : `${instancePath}/${toPart(propertyName)}`
  return pointer.split('/').slice(0, 3).join('/')
}

/** The elements of a list at the top of the file that can be read; none if something is wrong with the file as a whole. */
export function validItems({ root, broken }: ShapedFile, name: string): Located[] {
  if (isBrokenAsWhole(broken)) return []
  return itemsOf(member(root, name)).filter((_, index) => !broken.has(`/${name}/${index}`))
}

/** The members of a map at the top of the file that can be read; none if something is wrong with the file as a whole. */
export function validEntries({ root, broken }: ShapedFile, name: string): Entry[] {
  if (isBrokenAsWhole(broken)) return []
  return entriesOf(member(root, name)).filter((entry) => !broken.has(`/${name}/${toPart(entry.name)}`))
}

const isBrokenAsWhole = (broken: ReadonlySet<string>): boolean =>
  [...broken].some((pointer) => pointer.split('/').length < 3)

/** ajv loses the name where the schema of names is a reference; the error that follows has it. */
function withPropertyNames(errors: readonly ErrorObject[]): ErrorObject[] {
  return errors.map((error, index) => {
    const next = errors[index + 1]
    return next?.keyword === 'propertyNames' ? { ...error, propertyName: String(next.params['propertyName']) } : error
  })
}

/** ajv also tells which branch failed; what failed in it says more. */
const isInformative = ({ keyword }: ErrorObject): boolean => keyword !== 'if' && keyword !== 'propertyNames'

/** A missing key that stands there with a typing mistake is not reported twice. */
function isMisspelt(error: ErrorObject, unknown: readonly ErrorObject[]): boolean {
  if (error.keyword !== 'required') return false
  const missing = String(error.params['missingProperty'])
  return unknown.some(
    (other) =>
      other.instancePath === error.instancePath &&
      nearest(String(other.params['additionalProperty']), keysOf(other)) === missing,
  )
}

function report(error: ErrorObject, root: Located, findings: FindingList): void {
  const parts = error.instancePath.split('/').slice(1).map(fromPart)
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
      return { location, message: `missing key "${String(params['missingProperty'])}"`, hint: purpose(error) }
    case 'type':
      return { location, message: `${label} must be ${wantedKinds(params['type'])}, and is ${kindOf(node)}` }
    case 'enum':
      return unknownValue(error, node, label)
    case 'const':
      return {
        location,
        message: `${label} can only be ${JSON.stringify(params['allowedValue'])}; otherwise leave it out`,
      }
    case 'pattern': {
      const hint = String(parentSchema?.['patternErrorMessage'] ?? `it must match ${String(params['pattern'])}`)
      if (propertyName !== undefined)
        return { location: key(propertyName), message: `${quote(propertyName)} cannot be a key here`, hint }
      return { location, message: `${label} cannot be ${quote(String(node.content))}`, hint }
    }
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      return { location, message: `${label} is empty`, hint: fillHint(error) }
    default:
      return { location, message: `${label} ${error.message ?? 'does not fit'}` }
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
  if (error.keyword === 'minLength') return 'write it, or leave the key out'
  const names = keysOf(error)
  const least = Number(error.params['limit'])
  return `give ${least > 1 ? `at least ${least} of` : 'at least one'}${names.length > 0 ? `: ${names.join(', ')}` : ', or leave the key out'}`
}

/** What the schema says of a key that is missing. */
function purpose({ params, parentSchema }: ErrorObject): string | undefined {
  const { properties }: { properties?: Record<string, { description?: unknown }> } = Object(parentSchema)
  const description = properties?.[String(params['missingProperty'])]?.description
  return typeof description === 'string' ? description : undefined
}

const keysOf = ({ parentSchema }: ErrorObject): string[] => Object.keys(Object(parentSchema?.['properties']))

/** As far as the parts lead; an alias for nothing does not happen, as ajv saw the same value. */
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

const toPart = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')
const fromPart = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')
const quote = (text: string): string => JSON.stringify(text)

const kindNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'a map',
}

function wantedKinds(type: unknown): string {
  const types = Array.isArray(type) ? type.map(String) : String(type).split(',')
  return types.map((name) => kindNames[name] ?? name).join(' or ')
}

function kindOf({ content }: Located): string {
  if (content === null) return 'empty (null)'
  if (Array.isArray(content)) return 'a list'
  if (content instanceof Map) return 'a map'
  if (typeof content === 'string') return `the text ${quote(content)}`
  return `${typeof content === 'number' ? 'the number' : 'the truth value'} ${content}`
}
