import {
  ProtobufError,
  type Range,
  readVarint,
  scanFields,
  unzigzag,
  type WireValue,
} from '../../lib/protobuf/protobuf.js'
import { ArchiveError } from './archive-error.js'

/** The participant reads no deeper either. */
const deepestNesting = 1000

/** The last occurrence of a singular field counts. */
export class Message {
  readonly #bytes: Uint8Array
  readonly #depth: number
  readonly #numbers: number[] = []
  readonly #values: WireValue[] = []

  /** Throws `ArchiveError`. */
  constructor(bytes: Uint8Array, depth = 0, { start, end }: Range = { start: 0, end: bytes.length }) {
    if (depth > deepestNesting) throw broken(`messages are nested more than ${deepestNesting} deep`)
    this.#bytes = bytes
    this.#depth = depth
    inArchive(() =>
      scanFields(bytes, { start, end }, (number, _, value) => {
        this.#numbers.push(number)
        this.#values.push(value)
      }),
    )
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
      inArchive(() => {
        while (cursor.start < cursor.end) found.push(Number(readVarint(this.#bytes, cursor)))
      })
      return found
    })
  }

  #last(field: number): WireValue | undefined {
    const index = this.#numbers.lastIndexOf(field)
    return index < 0 ? undefined : this.#values[index]
  }

  #all(field: number): WireValue[] {
    return this.#values.filter((_, index) => this.#numbers[index] === field)
  }

  #nested(value: WireValue, field: number): Message {
    return typeof value === 'object' ? new Message(this.#bytes, this.#depth + 1, value) : wrongKind(field)
  }

  #decode(value: WireValue | undefined, field: number): string {
    if (value === undefined) return ''
    if (typeof value !== 'object') return wrongKind(field)
    try {
      return utf8.decode(this.#bytes.subarray(value.start, value.end))
    } catch {
      throw broken(`field ${field} is a string that is not UTF-8`)
    }
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function inArchive(read: () => void): void {
  try {
    read()
  } catch (error) {
    throw error instanceof ProtobufError ? broken(error.message) : error
  }
}

const broken = (problem: string): ArchiveError => new ArchiveError('ARCHIVE', `not a Daml archive: ${problem}`)

function wrongKind(field: number): never {
  throw broken(`field ${field} has another wire type than it should have`)
}
