import { createHash } from 'node:crypto'
import { parse as parseGraph, stringify, unflatten } from 'devalue'
import { openPayload } from '../../daml/archive/payload.js'
import {
  excerpt,
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
} from '../../lib/json/json.js'
import { builtInPackages, type HeldPackage, PackageStore, packageIn } from '../ledger/packages/package-store.js'
import { StateError } from './state-error.js'

const format = 'state of a simulated participant'
/** Increase it with each change of the format or the meaning of a saved member. */
export const version = 5

/** The prefix of a state in lines. */
export const beginningOfLines = `{"format":${JSON.stringify(format)},"lines":`

/** Immutable. */
export interface StateDocument extends JsonObject {
  format: string
  version: number
  /** ISO 8601. */
  savedAt: string
  /** SHA-256 of the compact JSON of `state`, in hex. */
  digest: string
  /** In the flat format of devalue. */
  state: JsonValue[]
}

/** Packages are saved as bytes. */
const reducers = {
  Buffer: (value: unknown) => Buffer.isBuffer(value) && [value.toString('base64')],
  PackageStore: (value: unknown) => value instanceof PackageStore && value.all().map(saved),
}
const revivers = {
  Buffer: ([text]: [string]) => Buffer.from(text, 'base64'),
  PackageStore: packagesOf,
}

/** Throws for values other than plain ones, bytes and package stores. */
export function documentOf(graph: object): StateDocument {
  const state = JSON.parse(textOf(graph)) as JsonValue[] // the output of devalue is a JSON array
  return { format, version, savedAt: new Date().toISOString(), digest: stateDigest(state), state }
}

/** `more`: further reducers. */
export const textOf = (graph: object, more: Record<string, (value: unknown) => unknown> = {}): string =>
  stringify(graph, { ...reducers, ...more })

/** Throws `StateError` and errors of devalue. */
export const graphOf = (text: string, more: Record<string, (value: string) => unknown>): unknown =>
  parseGraph(text, { ...revivers, ...more })

/** Throws `StateError`. */
export function graphIn({ state }: StateDocument): unknown {
  try {
    return unflatten(state, revivers)
  } catch (error) {
    if (error instanceof StateError) throw error
    throw new StateError('STATE_INCONSISTENT', `the state cannot be decoded: ${String(error)}`)
  }
}

/** Bytes, or a built-in id. */
type SavedPackage = Buffer | string

const saved = ({ id, bytes }: HeldPackage): SavedPackage =>
  bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : id

function packagesOf(packages: SavedPackage[]): PackageStore {
  return new PackageStore(packages.map(restored))
}

function restored(item: SavedPackage): HeldPackage {
  if (typeof item !== 'string') return packageIn(openPayload(item, 'a package of the state'))
  const found = builtInPackages.get(item)
  if (found) return found
  const problem = `this simulator knows no package ${item}, which the state has`
  throw new StateError('STATE_INCONSISTENT', `${problem}; save it again with this version`)
}

/** Throws `StateError`. */
export function readStateDocument(text: string): StateDocument {
  if (text.startsWith(beginningOfLines)) {
    throw new StateError('NO_STATE', '--save wrote this file: start from it with --data')
  }
  const value = parse(text)
  if (!isJsonObject(value) || value['format'] !== format) {
    const needed = `a saved state has "format": "${format}"`
    throw new StateError('NO_STATE', `this JSON is not a saved state: ${needed}; use the answer of GET /control/state`)
  }
  const { version: found = null, savedAt, digest, state } = value
  if (found !== version) {
    const problem = `a state of version ${excerpt(found, 40)}, but this simulator takes version ${version}`
    throw new StateError(
      'STATE_VERSION',
      `${problem}; save it again with this version`,
      found === null ? undefined : lineOf('version', text),
    )
  }
  if (!Array.isArray(state) || typeof savedAt !== 'string' || typeof digest !== 'string' || !isIntact(state, digest)) {
    const problem = 'the state changed after it was saved: its digest does not match'
    throw new StateError(
      'STATE_INCONSISTENT',
      `${problem}; use the unchanged answer of GET /control/state`,
      lineOf('digest', text),
    )
  }
  return { format, version, savedAt, digest, state }
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue // the return type of JSON.parse
  } catch {
    // Reports the line.
    try {
      return parseJson(text)
    } catch (error) {
      if (error instanceof JsonSyntaxError) throw new StateError('NOT_JSON', error.message, error.line)
      throw error
    }
  }
}

/** Empty: too deep. */
function stateDigest(state: JsonValue[]): string {
  try {
    return createHash('sha256').update(JSON.stringify(state)).digest('hex')
  } catch {
    return ''
  }
}

const isIntact = (state: JsonValue[], digest: string): boolean => digest !== '' && digest === stateDigest(state)

function lineOf(member: string, text: string): number | undefined {
  const found = text.search(new RegExp(`"${member}"\\s*:`))
  return found < 0 ? undefined : text.slice(0, found).split('\n').length
}
