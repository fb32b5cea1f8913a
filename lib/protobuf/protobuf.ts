export type WireField =
  | { number: number; wire: 'varint'; value: bigint }
  | { number: number; wire: 'fixed64'; value: bigint }
  | { number: number; wire: 'bytes'; value: Buffer }

/** `offset`: from the start of the innermost message. */
export class ProtobufError extends Error {
  override readonly name: string = 'ProtobufError'
  readonly offset: number

  constructor(problem: string, offset: number) {
    super(`not a protobuf message: ${problem} at byte ${offset}`)
    this.offset = offset
  }
}

/** Nested messages stay bytes. Throws `ProtobufError`. */
export function readMessage(bytes: Buffer): WireField[] {
  const fields: WireField[] = []
  let at = 0

  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at]
      if (byte === undefined) throw new ProtobufError('truncated varint', at)
      at += 1
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new ProtobufError('varint longer than ten bytes', at)
  }
  /** Tags and lengths are mostly one byte. */
  const small = (): number => {
    const byte = bytes[at]
    if (byte === undefined || byte >= 0x80) return Number(varint())
    at += 1
    return byte
  }
  const take = (length: number): Buffer => {
    if (length > bytes.length - at) throw new ProtobufError(`${length} bytes announced, ${bytes.length - at} left`, at)
    at += length
    return bytes.subarray(at - length, at)
  }

  while (at < bytes.length) {
    const tag = small()
    const number = Math.floor(tag / 8)
    if (number === 0) throw new ProtobufError('field number 0', at)
    const wire = tag & 7
    if (wire === 0) fields.push({ number, wire: 'varint', value: varint() })
    else if (wire === 1) fields.push({ number, wire: 'fixed64', value: take(8).readBigUInt64LE() })
    else if (wire === 2) fields.push({ number, wire: 'bytes', value: take(small()) })
    else if (wire === 5) take(4)
    else throw new ProtobufError(`wire type ${wire}`, at)
  }
  return fields
}

// One buffer of exact size per field.

function varintLength(value: number): number {
  let length = 1
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length += 1
  return length
}

/** Returns the next position. */
function writeVarint(into: Buffer, at: number, value: number): number {
  let end = at
  for (let rest = value; ; rest = Math.floor(rest / 0x80)) {
    into[end] = rest < 0x80 ? rest : (rest % 0x80) | 0x80
    end += 1
    if (rest < 0x80) return end
  }
}

/** `at`: start of its content. */
function fieldFor(number: number, wire: number, length: number): { field: Buffer; at: number } {
  const tag = number * 8 + wire
  const field = Buffer.allocUnsafe(varintLength(tag) + length)
  return { field, at: writeVarint(field, 0, tag) }
}

export function varintField(number: number, value: bigint): Buffer {
  const unsigned = BigInt.asUintN(64, value)
  if (unsigned > Number.MAX_SAFE_INTEGER) return Buffer.concat([fieldFor(number, 0, 0).field, wideVarint(unsigned)])
  const low = Number(unsigned)
  const { field, at } = fieldFor(number, 0, varintLength(low))
  writeVarint(field, at, low)
  return field
}

function wideVarint(value: bigint): Buffer {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 0x7fn)
    if (rest < 0x80n) return Buffer.from([...bytes, low])
    bytes.push(low | 0x80)
  }
}

export const signedField = (number: number, value: bigint): Buffer => varintField(number, zigzag(value))

export function fixed64Field(number: number, value: bigint): Buffer {
  const { field, at } = fieldFor(number, 1, 8)
  field.writeBigInt64LE(value, at)
  return field
}

export function bytesField(number: number, value: Buffer | string): Buffer {
  const length = typeof value === 'string' ? Buffer.byteLength(value) : value.length
  const { field, at } = fieldFor(number, 2, varintLength(length) + length)
  const start = writeVarint(field, at, length)
  if (typeof value === 'string') field.write(value, start)
  else field.set(value, start)
  return field
}

/** Small for values near zero. */
export const zigzag = (value: bigint): bigint => BigInt.asUintN(64, (value << 1n) ^ (value >> 63n))

export const unzigzag = (value: bigint): bigint => BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n))
