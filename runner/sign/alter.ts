import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import { ProtobufError, type WireField } from '../../lib/protobuf/protobuf.js'
import {
  changeField,
  type FieldPath,
  FieldPathError,
  removeFields,
  repeatField,
  reverseFields,
} from './message-edit.js'
import { preparedField } from './prepared-fields.js'

type Damage = (bytes: Buffer) => Buffer

const flip =
  (place: (length: number) => number): Damage =>
  (bytes) => {
    const index = place(bytes.length)
    const byte = bytes[index]
    return byte === undefined ? Buffer.from(bytes) : Buffer.from(bytes.with(index, byte ^ 1))
  }

const damages = {
  'flip-first': flip(() => 0),
  'flip-middle': flip((length) => length >> 1),
  'flip-last': flip((length) => length - 1),
  cut: (bytes) => bytes.subarray(0, -1),
  extend: (bytes) => Buffer.concat([bytes, Buffer.from([0])]),
  zero: (bytes) => Buffer.alloc(bytes.length),
  /** Signatures do not cover the multihash prefix. */
  multihash: (bytes) => Buffer.concat([Buffer.from([0x12, 0x20]), bytes]),
} satisfies Record<string, Damage>

/** Undefined for an unknown name. */
export const damage = (bytes: Buffer, how: string): Buffer | undefined =>
  Object.hasOwn(damages, how) ? damages[how as keyof typeof damages](bytes) : undefined // checked by hasOwn

type Alteration = (message: Buffer, path: FieldPath, argument: JsonValue) => Buffer | undefined

const unknownField = 77

const set = (write: (number: number, argument: JsonValue) => WireField | undefined): Alteration => {
  return (message, path, argument) => {
    const field = write(path.at(-1)?.number ?? 0, argument)
    return field && changeField(message, path, () => field)
  }
}

const alterations: Readonly<Record<string, Alteration>> = {
  set: set((number, argument) => {
    if (typeof argument === 'string') return { number, wire: 'bytes', value: Buffer.from(argument) }
    return typeof argument === 'number' && Number.isSafeInteger(argument)
      ? { number, wire: 'varint', value: BigInt(argument) }
      : undefined
  }),
  'set-bytes': set((number, argument) =>
    typeof argument === 'string' ? { number, wire: 'bytes', value: Buffer.from(argument, 'base64') } : undefined,
  ),
  add: (message, path, argument) =>
    typeof argument === 'number' && Number.isSafeInteger(argument)
      ? changeField(message, path, (field) => {
          if (field?.wire !== 'varint') throw new FieldPathError('the field is no number')
          return { ...field, value: field.value + BigInt(argument) }
        })
      : undefined,
  append: (message, path, argument) => {
    const last = path.at(-1)
    if (typeof argument !== 'string' || !last) return undefined
    const added: WireField = { number: last.number, wire: 'bytes', value: Buffer.from(argument) }
    return changeField(message, [...path.slice(0, -1), { ...last, nth: Number.MAX_SAFE_INTEGER }], () => added)
  },
  remove: (message, path, argument) => (argument === true ? changeField(message, path, () => undefined) : undefined),
  'remove-all': (message, path, argument) => (argument === true ? removeFields(message, path) : undefined),
  repeat: (message, path, argument) => (argument === true ? repeatField(message, path) : undefined),
  'unknown-field': (message, path, argument) =>
    typeof argument === 'string'
      ? changeField(message, [...path, { number: unknownField, nth: 0 }], () => ({
          number: unknownField,
          wire: 'bytes',
          value: Buffer.from(argument),
        }))
      : undefined,
}

/** `{ set: { field: value }, remove: { field: true } }`. Undefined if invalid. */
export function alter(prepared: string, changes: Record<string, JsonValue>): string | undefined {
  let message: Buffer | undefined = Buffer.from(prepared, 'base64')
  try {
    for (const [name, fields] of Object.entries(changes)) {
      if (name === 'reverse') message = reverseFields(message)
      else if (!Object.hasOwn(alterations, name) || !isJsonObject(fields)) return undefined
      else
        for (const [field, value] of Object.entries(fields)) {
          const path = preparedField(field)
          message = path && message && alterations[name]?.(message, path, value)
        }
      if (!message) return undefined
    }
  } catch (error) {
    if (error instanceof FieldPathError || error instanceof ProtobufError) return undefined
    throw error
  }
  return message.toString('base64')
}
