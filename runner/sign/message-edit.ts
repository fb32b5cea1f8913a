/** Other fields keep their bytes. */
import { bytesField, fixed64Field, readMessage, varintField, type WireField } from '../../lib/protobuf/protobuf.js'

/** `undefined` removes the field. */
export type FieldChange = (field: WireField | undefined) => WireField | undefined

/** `nth`: index of a repeated field. */
export type FieldPath = readonly { number: number; nth: number }[]

export class FieldPathError extends Error {
  override readonly name = 'FieldPathError'
}

/** Throws `FieldPathError` for a path without a parent, `ProtobufError` for invalid bytes. */
export function changeField(message: Buffer, path: FieldPath, change: FieldChange): Buffer {
  return changeFields(message, path, (fields, { number, nth }) => {
    const index = indexesOf(fields, number)[nth]
    const changed = change(index === undefined ? undefined : fields[index])
    if (index === undefined) return changed ? [...fields, changed] : fields
    return changed ? fields.with(index, changed) : fields.toSpliced(index, 1)
  })
}

/** Throws as `changeField` does. */
export const repeatField = (message: Buffer, path: FieldPath): Buffer =>
  changeFields(message, path, (fields, { number, nth }) => {
    const index = indexesOf(fields, number)[nth]
    const found = index === undefined ? undefined : fields[index]
    if (index === undefined || !found) throw new FieldPathError(`the field ${number} does not exist`)
    return fields.toSpliced(index, 0, found)
  })

/** Throws as `changeField` does. */
export const removeFields = (message: Buffer, path: FieldPath): Buffer =>
  changeFields(message, path, (fields, { number }) => fields.filter((field) => field.number !== number))

/** Occurrences of a repeated field keep their order. */
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
  const index = indexesOf(fields, head.number)[head.nth]
  const inner = index === undefined ? undefined : fields[index]
  if (index === undefined || inner?.wire !== 'bytes')
    throw new FieldPathError(`the field ${head.number} contains no message`)
  return writeFields(fields.with(index, { ...inner, value: changeFields(inner.value, rest, change) }))
}

const indexesOf = (fields: readonly WireField[], sought: number): number[] =>
  fields.flatMap(({ number }, index) => (number === sought ? [index] : []))

const writeFields = (fields: readonly WireField[]): Buffer => Buffer.concat(fields.map(writeField))

function writeField(field: WireField): Buffer {
  if (field.wire === 'bytes') return bytesField(field.number, field.value)
  if (field.wire === 'varint') return varintField(field.number, field.value)
  return fixed64Field(field.number, BigInt.asIntN(64, field.value))
}
