/** Compares one JSON value of each side under a correspondence of their ids. */
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import { pointerPart } from '../../lib/json/pointer.js'
import type { Correspondence } from './correspondence.js'

/** Digests, contract ids, UUIDs, timestamps, and hashes in base64. */
const ids =
  /1220[0-9a-f]{64}|0[01][0-9a-f]{64,}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\b[0-9a-f]{64}\b|[A-Za-z0-9+/]{43}=/g

const packageId = /^[0-9a-f]{64}$/
const time = /^\d{4}-\d\d-\d\dT/

/** `hashes`: a hash is an id, not a package. */
function equalStrings(received: string, target: string, table: Correspondence, hashes = false): boolean {
  const reference = table.renamed(received)
  const ours = reference.match(ids)
  // Ids of one kind have similar lengths. A search in megabytes of a hostile target takes long.
  if (!ours || target.length > 4 * reference.length + 1000) return reference === target
  const theirs = target.match(ids)
  if (!theirs) return reference === target
  if (ours.length !== theirs.length || reference.replace(ids, '\0') !== target.replace(ids, '\0')) return false
  return ours.every((id, index) => equalIds(id, theirs[index] ?? '', table, hashes))
}

function equalIds(reference: string, target: string, table: Correspondence, hashes: boolean): boolean {
  // A package id is the hash of its content.
  if (packageId.test(reference) || packageId.test(target))
    return reference === target || (hashes && table.bind(reference, target))
  if (time.test(reference) && time.test(target)) return equalTimes(reference, target, table)
  return kindOfId(reference) === kindOfId(target) && table.bind(reference, target)
}

/** Clock readings correspond; timestamps of requests are equal. */
function equalTimes(reference: string, target: string, table: Correspondence): boolean {
  const [ours, theirs] = [canonicalTime(reference), canonicalTime(target)]
  if (ours === theirs && !isRecent(ours)) return true
  return isRecent(ours) && isRecent(theirs) && table.bindTime(ours, theirs)
}

/** Without trailing zeros of the fraction. */
const canonicalTime = (text: string): string =>
  text.replace(/(\.\d*?)0*Z$/, (_, fraction: string) => `${fraction}Z`.replace('.Z', 'Z'))

/** Milliseconds by which clocks may differ. */
const hour = 3_600_000

const isRecent = (text: string): boolean => Math.abs(Date.parse(text) - Date.now()) < hour

/** Contract ids of one version correspond, with any suffix. */
const kindOfId = (id: string): string => {
  if (/^1220[0-9a-f]{64}$/.test(id)) return 'digest'
  if (/^0[01][0-9a-f]{64,}$/.test(id)) return id.slice(0, 2)
  return id.includes('-') ? 'uuid' : 'base64'
}

interface MemberDifference {
  /** Empty for the whole answer. */
  pointer: string
  level: 'shape' | 'value'
}

const namesOf = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const opaque = namesOf(
  'cause correlationId traceId traceContext paidTrafficCost createdEventBlob created_event_blob preparedTransaction ' +
    'hashingDetails details message contextualInfo costEstimation nextPageToken',
)

const sets = namesOf(
  'witnessParties signatories observers actingParties actAs implementedInterfaces interfaceViews packages vettedPackages ' +
    'parties packageReferences',
)

const offsets = namesOf('offset completionOffset completion_offset offsetCheckpoint')

/** Values 0 and 1 are constants, not offsets. */
const isOffset = (pointer: string, value: number): boolean =>
  value > 1 &&
  (offsets.has(pointer.slice(pointer.lastIndexOf('/') + 1)) || pointer.endsWith('/DeduplicationOffset/value'))

/** Other clients also move a ledger end. */
const isLedgerEnd = (pointer: string): boolean =>
  pointer === '/offset' || pointer.endsWith('/DeduplicationOffset/value')

/**
 * Members that differ beyond ids, offsets and texts that each participant chooses.
 * @example compareValues({ offset: 5 }, { offset: '5' }, ids) // [{ pointer: '/offset', level: 'shape' }]
 */
export function compareValues(
  reference: JsonValue,
  target: JsonValue,
  ids: Correspondence,
  pointer = '',
): MemberDifference[] {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  const differ = (level: 'shape' | 'value'): MemberDifference[] => [{ pointer, level }]
  if (kindOf(reference) !== kindOf(target)) return differ('shape')
  if (opaque.has(name)) return formOf(reference) === formOf(target) ? [] : differ('shape')
  if (Array.isArray(reference) && Array.isArray(target)) {
    if (reference.length !== target.length) return differ('shape')
    if (sets.has(name) && reference.length > 1) return sameSet(reference, target, ids) ? [] : differ('value')
    return reference.flatMap((item, index) => compareValues(item, target[index] ?? null, ids, `${pointer}/${index}`))
  }
  if (isJsonObject(reference) && isJsonObject(target)) return compareObjects(reference, target, ids, pointer)
  if (typeof reference === 'number' && typeof target === 'number') {
    if (isOffset(pointer, reference) && isOffset(pointer, target))
      return ids.bindOffset(reference, target, !isLedgerEnd(pointer)) ? [] : differ('value')
    return reference === target ? [] : differ('value')
  }
  if (typeof reference === 'string' && typeof target === 'string')
    return equalStrings(reference, target, ids, hashMembers.has(name)) ? [] : differ('value')
  return printJson(reference) === printJson(target) ? [] : differ('value')
}

/** In other members, such a string is a package id. */
const hashMembers = namesOf('externalTransactionHash transactionHash hash')

function compareObjects(
  reference: JsonObject,
  target: JsonObject,
  ids: Correspondence,
  pointer: string,
): MemberDifference[] {
  const found: MemberDifference[] = []
  const unmatched = new Set(Object.keys(target))
  for (const [name, value] of Object.entries(reference)) {
    const at = `${pointer}/${pointerPart(name)}`
    const own = unmatched.has(name)
      ? name
      : [...unmatched].find((other) => !(other in reference) && equalStrings(name, other, ids))
    if (own === undefined) {
      found.push({ pointer: at, level: 'shape' })
      continue
    }
    unmatched.delete(own)
    const other = target[own]
    // A serial counts the changes of one synchronizer.
    if (name === 'topologySerial' && typeof value === 'number' && typeof other === 'number') {
      if (!ids.bindSerial(String(reference['synchronizerId']), value, other))
        found.push({ pointer: at, level: 'value' })
      continue
    }
    found.push(...compareValues(value, target[own] ?? null, ids, at))
  }
  for (const name of unmatched) found.push({ pointer: `${pointer}/${pointerPart(name)}`, level: 'shape' })
  return found
}

/** Matches items in any order; sets in answers are small. */
function sameSet(reference: readonly JsonValue[], target: readonly JsonValue[], ids: Correspondence): boolean {
  const unmatched = [...target]
  return reference.every((item) => {
    const index = unmatched.findIndex((other) => ids.attempt(() => compareValues(item, other, ids).length === 0))
    if (index < 0) return false
    unmatched.splice(index, 1)
    return true
  })
}

const kindOf = (value: JsonValue): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return value instanceof JsonNumber ? 'number' : typeof value
}

function formOf(value: JsonValue): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'empty'
  if (typeof value !== 'string' || value.length < longestWord) return 'something'
  if (/^[0-9a-f]+$/i.test(value)) return 'hexadecimal'
  return /^[A-Za-z0-9+/]+=*$/.test(value) ? 'base64' : 'something'
}

/** Longer strings without spaces are encoded bytes. */
const longestWord = 100
