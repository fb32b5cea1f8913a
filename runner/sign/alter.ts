/** Alterations of a prepared transaction as a suite asks for them, at fields that it names. */
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

type Alteration = (message: Buffer, path: FieldPath, wanted: JsonValue) => Buffer | undefined

const unknownField = 77

const set = (write: (number: number, wanted: JsonValue) => WireField | undefined): Alteration => {
  return (message, path, wanted) => {
    const field = write(path.at(-1)?.number ?? 0, wanted)
    return field && changeField(message, path, () => field)
  }
}

/** By name; what they take stands beside the field: `{ set: { metadata.transaction_uuid: … } }`. */
const alterations: Readonly<Record<string, Alteration>> = {
  set: set((number, wanted) => {
    if (typeof wanted === 'string') return { number, wire: 'bytes', value: Buffer.from(wanted) }
    return typeof wanted === 'number' && Number.isSafeInteger(wanted)
      ? { number, wire: 'varint', value: BigInt(wanted) }
      : undefined
  }),
  'set-bytes': set((number, wanted) =>
    typeof wanted === 'string' ? { number, wire: 'bytes', value: Buffer.from(wanted, 'base64') } : undefined,
  ),
  add: (message, path, wanted) =>
    typeof wanted === 'number' && Number.isSafeInteger(wanted)
      ? changeField(message, path, (field) => {
          if (field?.wire !== 'varint') throw new FieldPathError('there is no number to add to')
          return { ...field, value: field.value + BigInt(wanted) }
        })
      : undefined,
  append: (message, path, wanted) => {
    const last = path.at(-1)
    if (typeof wanted !== 'string' || !last) return undefined
    const added: WireField = { number: last.number, wire: 'bytes', value: Buffer.from(wanted) }
    return changeField(message, [...path.slice(0, -1), { ...last, nth: Number.MAX_SAFE_INTEGER }], () => added)
  },
  remove: (message, path, wanted) => (wanted === true ? changeField(message, path, () => undefined) : undefined),
  'remove-all': (message, path, wanted) => (wanted === true ? removeFields(message, path) : undefined),
  repeat: (message, path, wanted) => (wanted === true ? repeatField(message, path) : undefined),
  /** A field that no version of the interface has, inside the message at the path. */
  'unknown-field': (message, path, wanted) =>
    typeof wanted === 'string'
      ? changeField(message, [...path, { number: unknownField, nth: 0 }], () => ({
          number: unknownField,
          wire: 'bytes',
          value: Buffer.from(wanted),
        }))
      : undefined,
}

/**
 * The prepared transaction (base64) with the alterations made in order: `{ set: { field: value }, remove: { field: true }, … }`
 * and `reverse: true` for its fields in the opposite order. Undefined where an alteration makes no sense or leads nowhere.
 */
export function alter(prepared: string, wanted: Record<string, JsonValue>): string | undefined {
  let message: Buffer | undefined = Buffer.from(prepared, 'base64')
  try {
    for (const [name, changes] of Object.entries(wanted)) {
      if (name === 'reverse') message = reverseFields(message)
      else if (!Object.hasOwn(alterations, name) || !isJsonObject(changes)) return undefined
      else
        for (const [field, value] of Object.entries(changes)) {
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
