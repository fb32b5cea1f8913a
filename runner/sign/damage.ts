type Damage = (bytes: Buffer) => Buffer

const flip =
  (place: (length: number) => number): Damage =>
  (bytes) => {
    const index = place(bytes.length)
    const byte = bytes[index]
    return byte === undefined ? Buffer.from(bytes) : Buffer.from(bytes.with(index, byte ^ 1))
  }

const damages = {
  'flip-first': flip(() => 0),
  'flip-middle': flip((length) => length >> 1),
  'flip-last': flip((length) => length - 1),
  cut: (bytes) => bytes.subarray(0, -1),
  extend: (bytes) => Buffer.concat([bytes, Buffer.from([0])]),
  zero: (bytes) => Buffer.alloc(bytes.length),
  /** Signatures do not cover the multihash prefix. */
  multihash: (bytes) => Buffer.concat([Buffer.from([0x12, 0x20]), bytes]),
} satisfies Record<string, Damage>

/** Undefined for an unknown name. */
export const damage = (bytes: Buffer, how: string): Buffer | undefined =>
  Object.hasOwn(damages, how) ? damages[how as keyof typeof damages](bytes) : undefined // checked by hasOwn
