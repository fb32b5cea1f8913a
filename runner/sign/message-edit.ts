/** Changes protobuf bytes field by field, without knowing what they mean: what is not named stays as it is, byte for byte. */
import { bytesField, fixed64Field, readMessage, varintField, type WireField } from '../../lib/protobuf/protobuf.js'

/** A change at one place; `undefined` takes the field away. */
export type FieldChange = (field: WireField | undefined) => WireField | undefined

/** Numbers of the fields that lead there from the outermost message; of a field that occurs several times, `nth` counts from 0. */
export type FieldPath = readonly { number: number; nth: number }[]

/** There is no such place in the bytes. */
export class FieldPathError extends Error {
  override readonly name = 'FieldPathError'
}

/** The bytes with the field at the path changed. Throws `FieldPathError` where the path leads nowhere, `ProtobufError` for other bytes. */
export function changeField(message: Buffer, path: FieldPath, change: FieldChange): Buffer {
  return changeFields(message, path, (fields, { number, nth }) => {
    const index = places(fields, number)[nth]
    const changed = change(index === undefined ? undefined : fields[index])
    if (index === undefined) return changed ? [...fields, changed] : fields
    return changed ? fields.with(index, changed) : fields.toSpliced(index, 1)
  })
}

/** The bytes with the field at the path once more behind itself. */
export const repeatField = (message: Buffer, path: FieldPath): Buffer =>
  changeFields(message, path, (fields, { number, nth }) => {
    const index = places(fields, number)[nth]
    const found = index === undefined ? undefined : fields[index]
    if (index === undefined || !found) throw new FieldPathError(`there is no field ${number} to repeat`)
    return fields.toSpliced(index, 0, found)
  })

/** The bytes with every field of that number taken out of the message that the path leads to. */
export const removeFields = (message: Buffer, path: FieldPath): Buffer =>
  changeFields(message, path, (fields, { number }) => fields.filter((field) => field.number !== number))

/** The message with its fields in the opposite order; those that occur several times keep theirs among themselves. */
export function reverseFields(message: Buffer): Buffer {
  const fields = readMessage(message)
  const numbers = [...new Set(fields.map(({ number }) => number))].reverse()
  return writeFields(numbers.flatMap((number) => fields.filter((field) => field.number === number)))
}

function changeFields(
  message: Buffer,
  [head, ...rest]: FieldPath,
  change: (fields: WireField[], last: FieldPath[number]) => WireField[],
): Buffer {
  if (!head) throw new FieldPathError('an empty path names no field')
  const fields = readMessage(message)
  if (rest.length === 0) return writeFields(change(fields, head))
  const index = places(fields, head.number)[head.nth]
  const inner = index === undefined ? undefined : fields[index]
  if (index === undefined || inner?.wire !== 'bytes')
    throw new FieldPathError(`there is no message in field ${head.number}`)
  return writeFields(fields.with(index, { ...inner, value: changeFields(inner.value, rest, change) }))
}

const places = (fields: readonly WireField[], wanted: number): number[] =>
  fields.flatMap(({ number }, index) => (number === wanted ? [index] : []))

const writeFields = (fields: readonly WireField[]): Buffer => Buffer.concat(fields.map(writeField))

function writeField(field: WireField): Buffer {
  if (field.wire === 'bytes') return bytesField(field.number, field.value)
  if (field.wire === 'varint') return varintField(field.number, field.value)
  return fixed64Field(field.number, BigInt.asIntN(64, field.value))
}
