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

export interface Range {
  start: number
  end: number
}

/** An integer, or the place of the content. */
export type WireValue = number | bigint | Range

/** Reads in place, because a package has a million fields. Throws `ProtobufError`. */
export function scanFields(
  bytes: Uint8Array,
  { start, end }: Range,
  found: (number: number, wire: number, value: WireValue) => void,
): void {
  const cursor = { start, end }
  while (cursor.start < end) {
    const tag = Number(readVarint(bytes, cursor))
    if (tag < 8) throw new ProtobufError('field number 0', cursor.start)
    const wire = tag % 8
    found(
      Math.floor(tag / 8),
      wire,
      wire === 0 ? readVarint(bytes, cursor) : take(cursor, lengthOf(wire, bytes, cursor)),
    )
  }
}

/** Advances the cursor. Throws `ProtobufError`. */
export function readVarint(bytes: Uint8Array, cursor: Range): number | bigint {
  let value = 0
  let scale = 1
  for (let count = 0; count < 7; count += 1) {
    const byte = nextByte(bytes, cursor)
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return value
    scale *= 128
  }
  let wide = BigInt(value)
  for (let shift = 49n; shift < 70n; shift += 7n) {
    const byte = nextByte(bytes, cursor)
    wide |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return BigInt.asUintN(64, wide)
  }
  throw new ProtobufError('varint longer than ten bytes', cursor.start)
}

function nextByte(bytes: Uint8Array, cursor: Range): number {
  const byte = cursor.start < cursor.end ? bytes[cursor.start] : undefined
  if (byte === undefined) throw new ProtobufError('truncated varint', cursor.start)
  cursor.start += 1
  return byte
}

function lengthOf(wire: number, bytes: Uint8Array, cursor: Range): number {
  if (wire === 2) return Number(readVarint(bytes, cursor))
  if (wire === 1) return 8
  if (wire === 5) return 4
  throw new ProtobufError(`wire type ${wire}`, cursor.start)
}

function take(cursor: Range, length: number): Range {
  const { start, end } = cursor
  if (length > end - start) throw new ProtobufError(`${length} bytes announced, ${end - start} left`, start)
  cursor.start = start + length
  return { start, end: cursor.start }
}

/** Nested messages stay bytes. Omits fields of 32 bits. Throws `ProtobufError`. */
export function readMessage(bytes: Buffer): WireField[] {
  const fields: WireField[] = []
  scanFields(bytes, { start: 0, end: bytes.length }, (number, wire, value) => {
    if (typeof value !== 'object') fields.push({ number, wire: 'varint', value: BigInt(value) })
    else if (wire === 1) fields.push({ number, wire: 'fixed64', value: bytes.readBigUInt64LE(value.start) })
    else if (wire === 2) fields.push({ number, wire: 'bytes', value: bytes.subarray(value.start, value.end) })
  })
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
