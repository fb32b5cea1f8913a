import type { ErrorObject } from 'ajv'
import { isJsonObject } from '../../lib/json/json.js'
import { pointerParts } from '../../lib/json/pointer.js'
import { suggestion } from '../../lib/suggest.js'
import type { Data } from '../../record/types/resolved-row.js'
import type { Listed, Location } from '../suite/suite.js'
import type { FindingList } from './findings.js'
import { keyLocation, valueLocation } from './locations.js'
import type { Parsed } from './parse-yaml.js'
import type { FileKind, ShapeCheck } from './suite-files.js'

export interface ShapedFile<Shape = unknown> {
  name: string
  kind: FileKind
  root: Shape
  references: readonly Reference[]
}

/** A name where the schema states `x-refers` with the kind. */
export interface Reference extends Listed {
  kind: string
}

/** Reports differences from the schema of the kind. */
export function checkShape(parsed: Parsed, kind: FileKind, check: ShapeCheck, findings: FindingList): Reference[] {
  const found = withPropertyNames(check(kind, parsed.value))
  for (const error of found.filter(isInformative)) report(error, parsed, findings)
  return found.filter(({ keyword }) => keyword === 'x-refers').map((error) => referenceOf(error, parsed))
}

function referenceOf({ instancePath, propertyName, schema, data }: ErrorObject, parsed: Parsed): Reference {
  const { value, location } = locate(parsed, pointerParts(instancePath))
  const isName = propertyName !== undefined && isJsonObject(value)
  return { kind: String(schema), name: String(data), location: isName ? keyLocation(value, propertyName) : location }
}

/** ajv names the property only in the following error. */
function withPropertyNames(errors: readonly ErrorObject[]): ErrorObject[] {
  return errors.map((error, index) => {
    const next = errors[index + 1]
    return next?.keyword === 'propertyNames' ? { ...error, propertyName: String(next.params['propertyName']) } : error
  })
}

/** Errors inside a branch are more specific than `if`. */
const isInformative = ({ keyword }: ErrorObject): boolean =>
  keyword !== 'if' && keyword !== 'x-refers' && keyword !== 'propertyNames'

function report(error: ErrorObject, parsed: Parsed, findings: FindingList): void {
  const parts = pointerParts(error.instancePath)
  const place = locate(parsed, parts)
  const { location, message, hint } = describe(error, place, labelOf(parts, place))
  findings.add(location, message, hint)
}

interface Place extends Parsed {
  /** The map or list of the value; undefined for the file. */
  container?: object
}

function locate(parsed: Parsed, parts: readonly string[]): Place {
  let place: Place = parsed
  for (const part of parts) {
    const { value: container } = place
    if (typeof container !== 'object' || container === null) break
    const value = (Array.isArray(container) ? container[Number(part)] : container[part]) ?? null
    place = { value, location: valueLocation(container, part), container }
  }
  return place
}

function labelOf(parts: readonly string[], { container }: Place): string {
  if (!container) return 'the file'
  return Array.isArray(container) ? `an element of ${quote(parts.at(-2) ?? '')}` : quote(parts.at(-1) ?? '')
}

interface Description {
  location: Location
  message: string
  hint?: string | undefined
}

function describe(error: ErrorObject, { value, location }: Place, label: string): Description {
  const { keyword, params, parentSchema, propertyName } = error
  const key = (name: string): Location => (isJsonObject(value) ? keyLocation(value, name) : location)
  switch (keyword) {
    case 'additionalProperties': {
      const name = String(params['additionalProperty'])
      return { location: key(name), message: `unknown key ${quote(name)}`, hint: suggestion(name, keysOf(error)) }
    }
    case 'required':
      return { location, message: `missing key ${quote(String(params['missingProperty']))}` }
    case 'type':
      return { location, message: `${label} must be ${expectedKinds(params['type'])}, not ${kindOf(value)}` }
    case 'enum':
      return unknownValue(error, { value, location }, label)
    case 'const':
      return { location, message: `${label} must be ${JSON.stringify(params['allowedValue'])} or omitted` }
    case 'pattern': {
      const hint = String(parentSchema?.['patternErrorMessage'] ?? `it must match ${String(params['pattern'])}`)
      if (propertyName !== undefined)
        return { location: key(propertyName), message: `${quote(propertyName)} is not a valid key here`, hint }
      return { location, message: `${label} cannot be ${quote(String(value))}`, hint }
    }
    case 'minItems':
    case 'minProperties':
    case 'minLength':
      if (params['limit'] === 1) return { location, message: `${label} is empty` }
  }
  return { location, message: `${label} ${error.message ?? 'does not match the schema'}` }
}

function unknownValue({ params, parentSchema }: ErrorObject, { value, location }: Place, label: string): Description {
  const allowed = (Array.isArray(params['allowedValues']) ? params['allowedValues'] : []).filter((one) => one !== null)
  const title: unknown = parentSchema?.['title']
  const shown = typeof value === 'string' ? quote(value) : kindOf(value)
  const message = typeof title === 'string' ? `unknown ${title} ${shown}` : `${label} cannot be ${shown}`
  return { location, message, hint: suggestion(String(value), allowed.map(String)) }
}

const keysOf = ({ parentSchema }: ErrorObject): string[] => Object.keys(Object(parentSchema?.['properties']))

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

function kindOf(value: Data): string {
  if (value === null) return 'null (empty)'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a map'
  if (typeof value === 'string') return `the string ${quote(value)}`
  return `${typeof value === 'number' ? 'the number' : 'the boolean'} ${value}`
}
