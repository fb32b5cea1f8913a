/** A saved state as people keep it: one JSON object that says what it is, and shows if anybody touched it. */
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
import { builtInPackages } from '../ledger/packages/built-in-packages.js'
import { HeldPackage } from '../ledger/packages/held-package.js'
import { PackageStore } from '../ledger/packages/package-store.js'
import { StateError } from './state-error.js'

const format = 'state of a simulated participant'
/** To be raised whenever what is saved changes its shape or its meaning. */
export const version = 4

/** How a state begins that is saved in lines; one that is a single JSON object begins otherwise. */
export const beginningOfLines = `{"format":${JSON.stringify(format)},"lines":`

/** Never changed after it was made, so it can be kept and restored any number of times. */
export interface StateDocument extends JsonObject {
  format: string
  version: number
  /** ISO 8601. */
  savedAt: string
  /** SHA-256 of the compact JSON text of `state`, in hex. */
  digest: string
  /** The graph as devalue flattens it. */
  state: JsonValue[]
}

/** Of packages their bytes are saved, and they are read again where they are needed. */
const reducers = {
  Buffer: (value: unknown) => Buffer.isBuffer(value) && [value.toString('base64')],
  PackageStore: (value: unknown) => value instanceof PackageStore && value.all().map(saved),
}
const revivers = {
  Buffer: ([text]: [string]) => Buffer.from(text, 'base64'),
  PackageStore: packagesOf,
}

/**
 * Saves a graph of plain values, of bytes and package stores: objects, lists, maps, sets, big integers, in any number of places.
 * Throws for anything else.
 */
export function documentOf(graph: object, savedAt: Date): StateDocument {
  const state = JSON.parse(textOf(graph)) as JsonValue[] // the format of devalue's texts
  return { format, version, savedAt: savedAt.toISOString(), digest: digestOf(state), state }
}

/** A graph as devalue prints it; `more` says what stands for some of its values. Throws for what it does not know. */
export const textOf = (graph: object, more: Record<string, (value: unknown) => unknown> = {}): string =>
  stringify(graph, { ...reducers, ...more })

/** The graph in such a text. Throws `StateError`, and whatever devalue throws. */
export const graphOf = (text: string, more: Record<string, (value: string) => unknown>): unknown =>
  parseGraph(text, { ...revivers, ...more })

/** The graph that was saved, as new objects. Throws `StateError`. */
export function graphIn({ state }: StateDocument): unknown {
  try {
    return unflatten(state, revivers)
  } catch (error) {
    if (error instanceof StateError) throw error
    throw new StateError('STATE_INCONSISTENT', `the state cannot be put together again: ${String(error)}`)
  }
}

/** A package as it is saved: its bytes, or its id where it is built in. */
type SavedPackage = Buffer | string

const saved = ({ id, bytes }: HeldPackage): SavedPackage =>
  bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : id

function packagesOf(packages: SavedPackage[]): PackageStore {
  return new PackageStore(packages.map(restored))
}

function restored(item: SavedPackage): HeldPackage {
  if (typeof item !== 'string') return HeldPackage.fromPayload(openPayload(item, 'a package of the state'))
  const found = builtInPackages.get(item)
  if (found) return found
  const problem = `this simulator knows no package ${item}, which the state has`
  throw new StateError('STATE_INCONSISTENT', `${problem}; save it anew with this one`)
}

/** Reads what somebody gives for a saved state. Throws `StateError`. */
export function readStateDocument(text: string): StateDocument {
  if (text.startsWith(beginningOfLines)) {
    throw new StateError('NO_STATE', 'this is a file that --save has kept: start from it with --data')
  }
  const value = parse(text)
  if (!isJsonObject(value) || value['format'] !== format) {
    const needed = `a saved state has "format": "${format}"`
    throw new StateError('NO_STATE', `this JSON is no state: ${needed}, and is what GET /control/state answers`)
  }
  const { version: found = null, savedAt, digest, state } = value
  if (found !== version) {
    const problem = `a state of version ${excerpt(found, 40)}, but this simulator takes version ${version}`
    throw new StateError('STATE_VERSION', `${problem}; save it anew with this one`, lineOf('version', text))
  }
  if (!Array.isArray(state) || typeof savedAt !== 'string' || typeof digest !== 'string' || !isIntact(state, digest)) {
    const problem = 'the state is not as it was saved: its digest does not fit'
    throw new StateError(
      'STATE_INCONSISTENT',
      `${problem}; take the file as GET /control/state answered it`,
      lineOf('digest', text),
    )
  }
  return { format, version, savedAt, digest, state }
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue // what it returns
  } catch {
    // Only ours says where.
    try {
      return parseJson(text)
    } catch (error) {
      if (error instanceof JsonSyntaxError) throw new StateError('NOT_JSON', error.message, error.line)
      throw error
    }
  }
}

/** An empty text for what is nested too deeply to be one of ours. */
function digestOf(state: JsonValue[]): string {
  try {
    return createHash('sha256').update(JSON.stringify(state)).digest('hex')
  } catch {
    return ''
  }
}

const isIntact = (state: JsonValue[], digest: string): boolean => digest !== '' && digest === digestOf(state)

function lineOf(member: string, text: string): number | undefined {
  const found = text.search(new RegExp(`"${member}"\\s*:`))
  return found < 0 ? undefined : text.slice(0, found).split('\n').length
}
