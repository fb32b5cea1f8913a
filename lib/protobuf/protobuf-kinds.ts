import { ProtobufError, unzigzag, zigzag } from './protobuf.js'

export interface NumberKind<T> {
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
