import {
  type DamlTransaction,
  decodePreparedTransaction,
  encodePreparedTransaction,
  type Metadata,
  type PreparedTransaction,
} from '../../../interface/prepared-transaction/codec.js'
import { bytesField, ProtobufError, readMessage, varintField } from '../../../lib/protobuf/protobuf.js'

export const flipped = (bytes: Buffer, bit: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
  return copy
}

export function placesIn(bytes: Buffer, depth = 0): number[][] {
  if (depth > 12) return []
  try {
    return readMessage(bytes).flatMap((field, index) => [
      [index],
      ...(field.wire === 'bytes' ? placesIn(field.value, depth + 1).map((rest) => [index, ...rest]) : []),
    ])
  } catch (error) {
    if (error instanceof ProtobufError) return []
    throw error
  }
}

export const edits = ['remove', 'repeat', 'empty', 'swap', 'increase'] as const

type Edit = (typeof edits)[number]

export function edited(bytes: Buffer, [index = 0, ...rest]: readonly number[], edit: Edit): Buffer {
  const fields = readMessage(bytes)
  const field = fields[index]
  if (!field) return bytes
  const write = (item: (typeof fields)[number]): Buffer =>
    item.wire === 'bytes' ? bytesField(item.number, item.value) : varintField(item.number, item.value)
  const whole = fields.map(write)
  const own = write(field)
  const changed = (): Buffer[] => {
    if (field.wire === 'bytes' && rest.length > 0) return [bytesField(field.number, edited(field.value, rest, edit))]
    if (edit === 'remove') return []
    if (edit === 'repeat') return [own, own]
    if (edit === 'swap') return [whole[index + 1] ?? own, own]
    if (field.wire === 'bytes')
      return [bytesField(field.number, edit === 'empty' ? '' : `${field.value.toString('latin1')}a`)]
    return [varintField(field.number, edit === 'empty' ? 0n : field.value + 1n)]
  }
  return Buffer.concat([
    ...whole.slice(0, index),
    ...changed(),
    ...whole.slice(edit === 'swap' ? index + 2 : index + 1),
  ])
}

export const reworked = (
  bytes: Buffer,
  change: (prepared: PreparedTransaction) => { transaction?: Partial<DamlTransaction>; metadata?: Partial<Metadata> },
): Buffer => {
  const prepared = decodePreparedTransaction(bytes)
  const { transaction, metadata } = change(prepared)
  return encodePreparedTransaction({
    transaction: { ...prepared.transaction, ...transaction },
    metadata: { ...prepared.metadata, ...metadata },
  })
}
