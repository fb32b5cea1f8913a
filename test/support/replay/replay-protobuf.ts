/** Recorded edits of prepared transactions. */
import type { WireField } from '../../../lib/protobuf/protobuf.js'
import { changeField, type FieldPath, removeFields, repeatField } from '../../../runner/sign/message-edit.js'

export type ProtobufEdit = {
  /** Nested field numbers with dots; the first field of a number counts. Empty: the whole message. */
  at: string
  set?: string | number
  /** Base64. */
  setBytes?: string
  /** To the present number. */
  add?: number
  remove?: true | 'all'
  /** Repeats the field. */
  double?: true
  /** To the nested message. */
  append?: { no: number; value: string }[]
}

export function applyEdit(message: Buffer, edit: ProtobufEdit): Buffer {
  const { set, setBytes, add, remove, double, append } = edit
  const path = edit.at === '' ? [] : fieldPath(...edit.at.split('.').map(Number))
  if (append) return append.reduce((bytes, { no, value }) => appended(bytes, path, no, value), message)
  if (remove === 'all') return removeFields(message, path)
  if (double) return repeatField(message, path)
  return changeField(message, path, (field) => {
    if (remove) return undefined
    const number = path.at(-1)?.number ?? 0
    if (typeof set === 'number') return { number, wire: 'varint', value: BigInt(set) }
    if (set !== undefined) return { number, wire: 'bytes', value: Buffer.from(set) }
    if (setBytes !== undefined) return { number, wire: 'bytes', value: Buffer.from(setBytes, 'base64') }
    return increased(field, add)
  })
}

export const fieldPath = (...numbers: number[]): FieldPath => numbers.map((number) => ({ number, nth: 0 }))

const appended = (message: Buffer, path: FieldPath, number: number, value: string): Buffer =>
  changeField(message, [...path, { number, nth: Number.MAX_SAFE_INTEGER }], () => ({
    number,
    wire: 'bytes',
    value: Buffer.from(value),
  }))

function increased(field: WireField | undefined, by: number | undefined): WireField {
  if (field?.wire !== 'varint' || by === undefined) throw new Error('the field has no number')
  return { ...field, value: field.value + BigInt(by) }
}
