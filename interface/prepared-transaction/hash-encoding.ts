/** The bytes that hashes cover: values of variable length follow their length or count. */
import { cutText } from '../../lib/redaction/redaction.js'
import { int32 } from '../crypto-hash.js'
import type { DamlIdentifier, DamlValue } from '../daml-value.js'

/** The message has the place and a remedy. */
export class TransactionHashError extends Error {
  override readonly name = 'TransactionHashError'
}

/** A root or a child does not exist. */
export class MissingNode extends TransactionHashError {}

/** Quoted and cut, for messages. */
export const shown = (text: string): string => JSON.stringify(cutText(text, 80))

export const byte = (value: number): Buffer => Buffer.from([value])

export const bool = (value: boolean): Buffer => byte(value ? 1 : 0)

/** Signed or unsigned. */
export function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value))
  return bytes
}

const sized = (bytes: Buffer): Buffer => Buffer.concat([int32(bytes.length), bytes])

export const text = (value: string): Buffer => sized(Buffer.from(value))

export function contractId(value: string): Buffer {
  if (/^([0-9a-f]{2})*$/.test(value)) return sized(Buffer.from(value, 'hex'))
  throw new TransactionHashError(`contract id ${shown(value)} cannot be hashed: contract ids are lower-case hex`)
}

/** `what` names it in the error. */
export function hash32(value: Buffer, what: () => string): Buffer {
  if (value.length === 32) return value
  throw new TransactionHashError(`${what()} has ${value.length} bytes; a hash has 32`)
}

export const optional = <T>(value: T | undefined, encode: (value: T) => Buffer): Buffer =>
  value === undefined ? byte(0) : Buffer.concat([byte(1), encode(value)])

export const repeated = <T>(items: readonly T[], encode: (item: T) => Buffer): Buffer =>
  Buffer.concat([int32(items.length), ...items.map(encode)])

export const texts = (items: readonly string[]): Buffer => repeated(items, text)

export const identifier = ({ packageId, module, entity }: DamlIdentifier): Buffer =>
  Buffer.concat([text(packageId), texts(module.split('.')), texts(entity.split('.'))])

/** The first byte distinguishes types. */
const tags: Readonly<Record<DamlValue['kind'], number>> = {
  unit: 0,
  bool: 1,
  int64: 2,
  numeric: 3,
  timestamp: 4,
  date: 5,
  party: 6,
  text: 7,
  contractId: 8,
  optional: 9,
  list: 10,
  textMap: 11,
  record: 12,
  variant: 13,
  enum: 14,
  genMap: 15,
}

/** Maps in the given order. Throws `TransactionHashError`. */
export const encodeValue = (value: DamlValue): Buffer => Buffer.concat([byte(tags[value.kind]), content(value)])

function content(value: DamlValue): Buffer {
  switch (value.kind) {
    case 'unit':
      return Buffer.alloc(0)
    case 'bool':
      return bool(value.value)
    case 'int64':
    case 'timestamp':
      return int64(value.value)
    case 'date':
      return int32(value.value)
    case 'numeric':
    case 'party':
    case 'text':
      return text(value.value)
    case 'contractId':
      return contractId(value.value)
    case 'optional':
      return optional(value.value, encodeValue)
    case 'list':
      return repeated(value.items, encodeValue)
    case 'textMap':
      return repeated(value.entries, ([key, item]) => Buffer.concat([text(key), encodeValue(item)]))
    case 'genMap':
      return repeated(value.entries, ([key, item]) => Buffer.concat([encodeValue(key), encodeValue(item)]))
    case 'record':
      return Buffer.concat([
        typeId(value.id),
        repeated(value.fields, ([label, item]) =>
          Buffer.concat([optional(label || undefined, text), encodeValue(item)]),
        ),
      ])
    case 'variant':
      return Buffer.concat([typeId(value.id), text(value.constructor), encodeValue(value.value)])
    case 'enum':
      return Buffer.concat([typeId(value.id), text(value.constructor)])
  }
}

/** Empty if absent. */
const typeId = (id: DamlIdentifier): Buffer =>
  optional(id.packageId || id.module || id.entity ? id : undefined, identifier)

export type HashingScheme = 'V2' | 'V3'

export const schemeNamed = (name: unknown): HashingScheme | undefined =>
  (['V2', 'V3'] as const).find((scheme) => scheme === name)

export interface SchemeRules {
  name: HashingScheme
  /** Part of the final hash. */
  number: number
  /** Precedes each node and the metadata. */
  encodingVersion: Buffer
  lfVersions: readonly string[]
  /** For nodes that this scheme does not cover. */
  newer: string
  coversKeys: boolean
  coversMaxRecordTime: boolean
}

export const hashingSchemes: Readonly<Record<HashingScheme, SchemeRules>> = {
  V2: {
    name: 'V2',
    number: 2,
    encodingVersion: Buffer.from([1]),
    lfVersions: ['2.1'],
    newer: 'V3',
    coversKeys: false,
    coversMaxRecordTime: false,
  },
  V3: {
    name: 'V3',
    number: 3,
    encodingVersion: Buffer.alloc(0),
    lfVersions: ['2.1', '2'],
    newer: 'V4',
    coversKeys: true,
    coversMaxRecordTime: true,
  },
}
