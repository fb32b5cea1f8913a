/** Two JSON values, one of each side: where they differ when ids are exchanged for each other. */
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import type { Correspondence } from './correspondence.js'

// Two texts, one of each side, with ids in them.

/** Ids that a participant makes up: digests, contracts, UUIDs, points in time; hashes in base64, as of keys. */
const ids =
  /1220[0-9a-f]{64}|0[01][0-9a-f]{64,}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\b[0-9a-f]{64}\b|[A-Za-z0-9+/]{43}=/g

const packageId = /^[0-9a-f]{64}$/
const time = /^\d{4}-\d\d-\d\dT/

/** Whether the texts are the same once ids are exchanged. `hashes`: hashes are ids as well, and do not name packages. */
function compareTexts(model: string, target: string, table: Correspondence, hashes = false): boolean {
  const ours = model.match(ids)
  // Ids of one kind have similar lengths. A target can send megabytes, in which the search takes long.
  if (!ours || target.length > 4 * model.length + 1000) return model === target
  const theirs = target.match(ids)
  if (!theirs) return model === target
  if (ours.length !== theirs.length || model.replace(ids, '\0') !== target.replace(ids, '\0')) return false
  return ours.every((id, index) => alike(id, theirs[index] ?? '', table, hashes))
}

function alike(model: string, target: string, table: Correspondence, hashes: boolean): boolean {
  // What packages are called follows from what is in them.
  if (packageId.test(model) || packageId.test(target)) return model === target || (hashes && table.bind(model, target))
  if (time.test(model) && time.test(target)) return alikeTimes(model, target, table)
  return lengthClass(model) === lengthClass(target) && table.bind(model, target)
}

/** Points in time that somebody sent are the same on both sides; those that participants read off their clocks are of now. */
function alikeTimes(model: string, target: string, table: Correspondence): boolean {
  const [ours, theirs] = [spelt(model), spelt(target)]
  if (ours === theirs && !isOfNow(ours)) return true
  return isOfNow(ours) && isOfNow(theirs) && table.bind(ours, theirs)
}

/** Zeros at the end of a fraction say nothing. */
const spelt = (text: string): string =>
  text.replace(/(\.\d*?)0*Z$/, (_, fraction: string) => `${fraction}Z`.replace('.Z', 'Z'))

/** Participants work only while their clocks agree, to minutes; so does whoever looks at them. */
const hour = 3_600_000

const isOfNow = (text: string): boolean => Math.abs(Date.parse(text) - Date.now()) < hour

/** Contracts of one version have ids of one length, whatever suffix a ledger gives them. */
const lengthClass = (id: string): string => {
  if (/^1220[0-9a-f]{64}$/.test(id)) return 'digest'
  if (/^0[01][0-9a-f]{64,}$/.test(id)) return id.slice(0, 2)
  return id.includes('-') ? 'uuid' : 'base64'
}

/** A member in which two answers differ; undefined stands for one that is not there. */
export interface MemberDifference {
  pointer: string
  level: 'shape' | 'value'
  model: JsonValue | undefined
  target: JsonValue | undefined
}

/** Members that say the same in any words: only what kind of value they have is compared. */
const opaque: ReadonlySet<string> = new Set([
  ...['cause', 'correlationId', 'traceId', 'traceContext', 'paidTrafficCost', 'createdEventBlob', 'created_event_blob'],
  ...[
    'preparedTransaction',
    'hashingDetails',
    'details',
    'message',
    'contextualInfo',
    'costEstimation',
    'nextPageToken',
  ],
])

/** Lists whose order means nothing. */
const sets: ReadonlySet<string> = new Set([
  ...[
    'witnessParties',
    'signatories',
    'observers',
    'actingParties',
    'actAs',
    'implementedInterfaces',
    'interfaceViews',
  ],
  ...['packages', 'vettedPackages', 'parties', 'packageReferences'],
])

const offsets: ReadonlySet<string> = new Set(['offset', 'completionOffset', 'completion_offset', 'offsetCheckpoint'])

/** Whose very values mean nothing on another ledger, small ones apart, which are constants. */
const isOffset = (pointer: string, value: number): boolean =>
  value > 1 &&
  (offsets.has(pointer.slice(pointer.lastIndexOf('/') + 1)) || pointer.endsWith('/DeduplicationOffset/value'))

/** Where the ledger ends, which is not the doing of one conversation alone, and what is copied from there. */
const isOfOthers = (pointer: string): boolean => pointer === '/offset' || pointer.endsWith('/DeduplicationOffset/value')

export function compareValues(
  model: JsonValue,
  target: JsonValue,
  ids: Correspondence,
  pointer = '',
): MemberDifference[] {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  const differ = (level: 'shape' | 'value'): MemberDifference[] => [{ pointer, level, model, target }]
  if (kindOf(model) !== kindOf(target)) return differ('shape')
  if (opaque.has(name)) return formOf(model) === formOf(target) ? [] : differ('shape')
  if (Array.isArray(model) && Array.isArray(target)) {
    if (model.length !== target.length) return differ('shape')
    if (sets.has(name) && model.length > 1) return sameSet(model, target, ids) ? [] : differ('value')
    return model.flatMap((item, index) => compareValues(item, target[index] ?? null, ids, `${pointer}/${index}`))
  }
  if (isJsonObject(model) && isJsonObject(target)) return compareObjects(model, target, ids, pointer)
  if (typeof model === 'number' && typeof target === 'number') {
    if (isOffset(pointer, model) && isOffset(pointer, target))
      return ids.bindOffset(model, target, !isOfOthers(pointer)) ? [] : differ('value')
    return model === target ? [] : differ('value')
  }
  if (typeof model === 'string' && typeof target === 'string')
    return compareTexts(model, target, ids, hashed.has(name)) ? [] : differ('value')
  return printJson(model) === printJson(target) ? [] : differ('value')
}

/** Members with hashes over ids, which are others on each side; elsewhere such a text names a package. */
const hashed: ReadonlySet<string> = new Set(['externalTransactionHash', 'hash'])

function compareObjects(
  model: JsonObject,
  target: JsonObject,
  ids: Correspondence,
  pointer: string,
): MemberDifference[] {
  const found: MemberDifference[] = []
  const left = new Set(Object.keys(target))
  for (const [name, value] of Object.entries(model)) {
    const at = `${pointer}/${escaped(name)}`
    const own = left.has(name) ? name : [...left].find((other) => !(other in model) && compareTexts(name, other, ids))
    if (own === undefined) {
      found.push({ pointer: at, level: 'shape', model: value, target: undefined })
      continue
    }
    left.delete(own)
    const other = target[own]
    if (name === 'topologySerial' && typeof value === 'number' && typeof other === 'number') {
      // Serials count the changes on one synchronizer, since whenever.
      if (!ids.bindSerial(String(model['synchronizerId']), value, other))
        found.push({ pointer: at, level: 'value', model: value, target: other })
      continue
    }
    found.push(...compareValues(value, target[own] ?? null, ids, at))
  }
  for (const name of left)
    found.push({ pointer: `${pointer}/${escaped(name)}`, level: 'shape', model: undefined, target: target[name] })
  return found
}

/** Each has one of its own among the others. Sets of answers are small. */
function sameSet(model: readonly JsonValue[], target: readonly JsonValue[], ids: Correspondence): boolean {
  const left = [...target]
  return model.every((item) => {
    const index = left.findIndex((other) => ids.attempt(() => compareValues(item, other, ids).length === 0))
    if (index < 0) return false
    left.splice(index, 1)
    return true
  })
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

const kindOf = (value: JsonValue): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return value instanceof JsonNumber ? 'number' : typeof value
}

/** What can be told of a value that may be anything: whether it is there, and whether a text is bytes in one writing or another. */
function formOf(value: JsonValue): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'empty'
  if (typeof value !== 'string' || value.length < longestWord) return 'something'
  if (/^[0-9a-f]+$/i.test(value)) return 'hexadecimal'
  return /^[A-Za-z0-9+/]+=*$/.test(value) ? 'base64' : 'something'
}

/** A longer text without spaces is none that people read. */
const longestWord = 100
