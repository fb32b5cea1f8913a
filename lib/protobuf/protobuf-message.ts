/** One description writes and reads a message. */
import {
  bytesField,
  fixed64Field,
  ProtobufError,
  readMessage,
  unzigzag,
  varintField,
  type WireField,
  zigzag,
} from './protobuf.js'

interface NumberKind<T> {
  wire: 'varint' | 'fixed64'
  toWire(value: T): bigint
  fromWire(number: bigint): T
}

export interface BytesKind<T> {
  wire: 'bytes'
  /** A second occurrence adds to the first, as with messages. */
  merges: boolean
  toWire(value: T): Buffer
  /** `depth`: number of enclosing messages. */
  fromWire(bytes: Buffer, depth: number): T
}

export type Kind<T> = NumberKind<T> | BytesKind<T>

export type Message<K> = K extends BytesKind<infer T> ? T : never

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const string: Kind<string> = {
  wire: 'bytes',
  merges: false,
  toWire: (text) => Buffer.from(text),
  fromWire: (content) => {
    try {
      return utf8.decode(content)
    } catch {
      throw new ProtobufError('a string that is not UTF-8', 0)
    }
  },
}

export const bytes: Kind<Buffer> = {
  wire: 'bytes',
  merges: false,
  toWire: (value) => value,
  fromWire: (content) => content,
}

export const bool: Kind<boolean> = {
  wire: 'varint',
  toWire: (value) => (value ? 1n : 0n),
  fromWire: (number) => number !== 0n,
}

export const int32: Kind<number> = {
  wire: 'varint',
  toWire: BigInt,
  fromWire: (number) => Number(BigInt.asIntN(32, number)),
}

export const uint32: Kind<number> = {
  wire: 'varint',
  toWire: BigInt,
  fromWire: (number) => Number(BigInt.asUintN(32, number)),
}

export const uint64: Kind<bigint> = {
  wire: 'varint',
  toWire: (value) => value,
  fromWire: (number) => number,
}

/** Zigzag. */
export const sint64: Kind<bigint> = {
  wire: 'varint',
  toWire: zigzag,
  fromWire: unzigzag,
}

export const sfixed64: Kind<bigint> = {
  wire: 'fixed64',
  toWire: (value) => value,
  fromWire: (number) => BigInt.asIntN(64, number),
}

export function mapKind<A, B>(kind: Kind<A>, to: (value: A) => B, from: (value: B) => A): Kind<B> {
  if (kind.wire === 'bytes') {
    return {
      wire: 'bytes',
      merges: kind.merges,
      toWire: (value) => kind.toWire(from(value)),
      fromWire: (content, depth) => to(kind.fromWire(content, depth)),
    }
  }
  return {
    wire: kind.wire,
    toWire: (value) => kind.toWire(from(value)),
    fromWire: (number) => to(kind.fromWire(number)),
  }
}

/** For recursive messages. */
export const lazy = <T>(message: () => BytesKind<T>): BytesKind<T> => ({
  wire: 'bytes',
  merges: true,
  toWire: (value) => message().toWire(value),
  fromWire: (content, depth) => message().fromWire(content, depth),
})

export interface Field<T> {
  write(value: T): Buffer
  read(fields: readonly WireField[], depth: number): T
}

/** A part without a default is missing. */
export class MissingPartError extends ProtobufError {
  override readonly name = 'MissingPartError'

  constructor(part: string) {
    super(`no ${part} is given`, 0)
  }
}

// Daml values have 100 levels of at most three messages.
const deepestNesting = 400

const empty = Buffer.alloc(0)

/** Zero or empty values are not written. */
export const one = <T>(number: number, kind: Kind<T>): Field<T> => ({
  write: (value) => {
    const content = kind.toWire(value)
    const isZero = typeof content === 'bigint' ? content === 0n : content.length === 0
    return isZero ? empty : writeContent(number, kind, content)
  },
  read: (fields, depth) => readLast(fields, number, kind, depth) ?? zero(kind, depth),
})

export const optional = <T>(number: number, kind: Kind<T>): Field<T | undefined> => ({
  write: (value) => (value === undefined ? empty : writeContent(number, kind, kind.toWire(value))),
  read: (fields, depth) => readLast(fields, number, kind, depth),
})

export const repeated = <T>(number: number, kind: Kind<T>): Field<T[]> => ({
  write: (items) => Buffer.concat(items.map((item) => writeContent(number, kind, kind.toWire(item)))),
  read: (fields, depth) => readAll(fields, number, kind, depth),
})

/** A property without a field. */
export const always = <const T>(value: T): Field<T> => ({ write: () => empty, read: () => value })

/**
 * Reading ignores unknown fields and wrong wire types; the last occurrence wins. Throws `ProtobufError`.
 * @example
 * const party = message({ name: one(1, string) })
 * party.fromWire(party.toWire({ name: 'alice' }), 0) // { name: 'alice' }
 */
export function message<T extends object>(properties: { [K in keyof T]: Field<T[K]> }): BytesKind<T> {
  const names = Object.keys(properties) as (keyof T)[] // the keys of the description are those of T
  return {
    wire: 'bytes',
    merges: true,
    toWire: (value) => Buffer.concat(names.map((name) => properties[name].write(value[name]))),
    fromWire: (content, depth) => {
      const fields = readNested(content, depth)
      // Every key of T, with a value of its type.
      return Object.fromEntries(names.map((name) => [name, properties[name].read(fields, depth + 1)])) as T
    },
  }
}

interface Choice<T> {
  number: number
  kind: Kind<T>
}

/** `kind` names the member. `what` is for the `MissingPartError`. */
export function oneOf<T extends { kind: string }>(
  what: string,
  choices: { [K in T['kind']]: Choice<Extract<T, { kind: K }>> },
): BytesKind<T> {
  const byName = choices as Record<string, Choice<T>> // each is only asked for values of its own kind
  const all = Object.values(byName)
  const choiceOf = ({ number, wire }: WireField) =>
    all.find((choice) => choice.number === number && choice.kind.wire === wire)
  return {
    wire: 'bytes',
    merges: true,
    toWire: (value) => {
      const choice = byName[value.kind]
      if (!choice) throw new TypeError(`${what} of unknown kind ${value.kind}`)
      return writeContent(choice.number, choice.kind, choice.kind.toWire(value))
    },
    fromWire: (content, depth) => {
      const fields = readNested(content, depth).filter(choiceOf)
      const last = fields.at(-1)
      const choice = last && choiceOf(last)
      if (!choice) throw new MissingPartError(what)
      const others = fields.findLastIndex((field) => choiceOf(field) !== choice)
      const value = readLast(fields.slice(others + 1), choice.number, choice.kind, depth + 1)
      return value as T // not undefined: `last` is among these fields
    },
  }
}

function readNested(content: Buffer, depth: number): WireField[] {
  if (depth > deepestNesting) throw new ProtobufError(`messages nested deeper than ${deepestNesting}`, 0)
  return readMessage(content)
}

function writeContent<T>(number: number, { wire }: Kind<T>, content: Buffer | bigint): Buffer {
  if (typeof content !== 'bigint') return bytesField(number, content)
  return wire === 'fixed64' ? fixed64Field(number, content) : varintField(number, content)
}

function zero<T>(kind: Kind<T>, depth: number): T {
  return kind.wire === 'bytes' ? kind.fromWire(empty, depth) : kind.fromWire(0n)
}

function readAll<T>(fields: readonly WireField[], number: number, kind: Kind<T>, depth: number): T[] {
  if (kind.wire === 'bytes') return contents(fields, number).map((content) => kind.fromWire(content, depth))
  return integers(fields, number, kind.wire).map(kind.fromWire)
}

function readLast<T>(fields: readonly WireField[], number: number, kind: Kind<T>, depth: number): T | undefined {
  if (kind.wire !== 'bytes') {
    const last = integers(fields, number, kind.wire).at(-1)
    return last === undefined ? undefined : kind.fromWire(last)
  }
  const found = contents(fields, number)
  const last = kind.merges && found.length > 1 ? Buffer.concat(found) : found.at(-1)
  return last && kind.fromWire(last, depth)
}

function contents(fields: readonly WireField[], number: number): Buffer[] {
  const found: Buffer[] = []
  // Hostile bytes have millions of fields, and `flatMap` allocates an array for each.
  for (const field of fields) if (field.number === number && field.wire === 'bytes') found.push(field.value)
  return found
}

function integers(fields: readonly WireField[], number: number, wire: 'varint' | 'fixed64'): bigint[] {
  const found: bigint[] = []
  for (const field of fields) {
    if (field.number === number && field.wire !== 'bytes' && field.wire === wire) found.push(field.value)
  }
  return found
}
