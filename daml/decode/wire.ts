/** Reads protobuf in place, because a package has a million fields. */
import { unzigzag } from '../../lib/protobuf/protobuf.js'
import { ArchiveError } from './archive-error.js'

/** The participant reads no deeper either. */
const deepestNesting = 1000

interface Range {
  start: number
  end: number
}

/** The last occurrence of a singular field counts. */
export class Message {
  readonly #bytes: Uint8Array
  readonly #depth: number
  readonly #numbers: number[] = []
  readonly #values: (number | bigint | Range)[] = []

  /** Throws `ArchiveError`. */
  constructor(bytes: Uint8Array, depth = 0, { start, end }: Range = { start: 0, end: bytes.length }) {
    if (depth > deepestNesting) throw broken(`messages are nested more than ${deepestNesting} deep`)
    this.#bytes = bytes
    this.#depth = depth
    const cursor: Range = { start, end }
    while (cursor.start < end) {
      const tag = Number(varint(bytes, cursor))
      const wire = tag % 8
      if (tag < 8) throw broken(`a field has the tag ${tag}`)
      this.#numbers.push(Math.floor(tag / 8))
      this.#values.push(wire === 0 ? varint(bytes, cursor) : take(cursor, lengthOf(wire, bytes, cursor)))
    }
  }

  has(field: number): boolean {
    return this.#numbers.includes(field)
  }

  /** The set member of a oneof. */
  which(fields: ReadonlySet<number>): number | undefined {
    return this.#numbers.findLast((number) => fields.has(number))
  }

  /** 0 if absent. */
  int32(field: number): number {
    const value = this.#last(field) ?? 0
    if (typeof value === 'number' && value <= 0x7fffffff) return value
    return typeof value === 'object' ? wrongKind(field) : Number(BigInt.asIntN(32, BigInt(value)))
  }

  sint64(field: number): bigint {
    const value = this.#last(field) ?? 0
    return typeof value === 'object' ? wrongKind(field) : unzigzag(BigInt(value))
  }

  sfixed64(field: number): bigint {
    const value = this.#last(field)
    if (value === undefined) return 0n
    if (typeof value !== 'object' || value.end - value.start !== 8) return wrongKind(field)
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + value.start, 8).getBigInt64(0, true)
  }

  bool(field: number): boolean {
    return this.int32(field) !== 0
  }

  text(field: number): string {
    return this.#decode(this.#last(field), field)
  }

  texts(field: number): string[] {
    return this.#all(field).map((value) => this.#decode(value, field))
  }

  bytes(field: number): Uint8Array | undefined {
    const value = this.#last(field)
    if (value === undefined) return undefined
    return typeof value === 'object' ? this.#bytes.subarray(value.start, value.end) : wrongKind(field)
  }

  /** Empty if absent. */
  message(field: number): Message {
    return this.#nested(this.#last(field) ?? { start: 0, end: 0 }, field)
  }

  messages(field: number): Message[] {
    return this.#all(field).map((value) => this.#nested(value, field))
  }

  /** Packed or not. */
  int32s(field: number): number[] {
    return this.#all(field).flatMap((value) => {
      if (typeof value !== 'object') return Number(value)
      const found: number[] = []
      const cursor = { ...value }
      while (cursor.start < cursor.end) found.push(Number(varint(this.#bytes, cursor)))
      return found
    })
  }

  #last(field: number): number | bigint | Range | undefined {
    const index = this.#numbers.lastIndexOf(field)
    return index < 0 ? undefined : this.#values[index]
  }

  #all(field: number): (number | bigint | Range)[] {
    return this.#values.filter((_, index) => this.#numbers[index] === field)
  }

  #nested(value: number | bigint | Range, field: number): Message {
    return typeof value === 'object' ? new Message(this.#bytes, this.#depth + 1, value) : wrongKind(field)
  }

  #decode(value: number | bigint | Range | undefined, field: number): string {
    if (value === undefined) return ''
    if (typeof value !== 'object') return wrongKind(field)
    try {
      return utf8.decode(this.#bytes.subarray(value.start, value.end))
    } catch {
      throw broken(`field ${field} is a string that is not UTF-8`)
    }
  }
}

/** Advances the cursor. */
function varint(bytes: Uint8Array, cursor: Range): number | bigint {
  let value = 0
  let scale = 1
  for (let count = 0; count < 7; count += 1) {
    const byte = next(bytes, cursor)
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return value
    scale *= 128
  }
  let wide = BigInt(value)
  for (let shift = 49n; shift < 70n; shift += 7n) {
    const byte = next(bytes, cursor)
    wide |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return BigInt.asUintN(64, wide)
  }
  throw broken('a number is longer than ten bytes')
}

function next(bytes: Uint8Array, cursor: Range): number {
  const byte = cursor.start < cursor.end ? bytes[cursor.start] : undefined
  if (byte === undefined) throw broken('a number is cut off')
  cursor.start += 1
  return byte
}

function lengthOf(wire: number, bytes: Uint8Array, cursor: Range): number {
  if (wire === 2) return Number(varint(bytes, cursor))
  if (wire === 1) return 8
  if (wire === 5) return 4
  throw broken(`a field has the wire type ${wire}`)
}

function take(cursor: Range, length: number): Range {
  const { start, end } = cursor
  if (length > end - start) throw broken(`${length} bytes are announced where ${end - start} are left`)
  cursor.start = start + length
  return { start, end: cursor.start }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const broken = (problem: string): ArchiveError => new ArchiveError('ARCHIVE', `not a Daml archive: ${problem}`)

function wrongKind(field: number): never {
  throw broken(`field ${field} has another wire type than it should have`)
}
