/** Equivalent, non-canonical and invalid encodings. */

/** Group orders of the curves. */
const orders = {
  p256: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  p384: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  secp256k1: 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n,
  ed25519: 0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3edn,
} as const

/** `n` is the group order. */
type Change = (r: bigint, s: bigint, n: bigint) => [r: bigint, s: bigint]

const changes: Readonly<Record<string, Change>> = {
  'negated-s': (r, s, n) => [r, n - s],
  's-plus-order': (r, s, n) => [r, s + n],
  'zero-r-and-s': () => [0n, 0n],
}

/** `signature` is DER; `negated-s` stays valid. Undefined if invalid. */
export function ecdsaForm(signature: Buffer, curve: string, form: string): Buffer | undefined {
  if (form === 'trailing-byte') return Buffer.concat([signature, Buffer.from([0])])
  const numbers = readDer(signature)
  if (!numbers) return undefined
  const [r, s] = numbers
  if (form === 'concatenated') return concatenated([r, s], curve === 'p384' ? 48 : 32)
  if (form === 'leading-zero') return writeDer([Buffer.concat([Buffer.from([0]), derInteger(r)]), derInteger(s)])
  const n = Object.hasOwn(orders, curve) ? orders[curve as keyof typeof orders] : undefined // checked by hasOwn
  if (n === undefined || !Object.hasOwn(changes, form)) return undefined
  const changed = changes[form]?.(r, s, n)
  return changed && writeDer(changed.map(derInteger))
}

/** A non-canonical signature. */
export function ed25519PlusOrder(signature: Buffer): Buffer | undefined {
  if (signature.length !== 64) return undefined
  const s = toNumber(signature.subarray(32).toReversed())
  const bytes = Buffer.from((s + orders.ed25519).toString(16).padStart(64, '0'), 'hex').reverse()
  return Buffer.concat([signature.subarray(0, 32), bytes])
}

const concatenated = (numbers: readonly bigint[], length: number): Buffer =>
  Buffer.concat(numbers.map((number) => Buffer.from(number.toString(16).padStart(2 * length, '0'), 'hex')))

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)

function readDer(signature: Buffer): [bigint, bigint] | undefined {
  const numbers: bigint[] = []
  // The lengths fit in one byte for these curves.
  for (let at = 2; at + 1 < signature.length; ) {
    const length = signature.readUInt8(at + 1)
    if (signature.readUInt8(at) !== 2 || at + 2 + length > signature.length) return undefined
    numbers.push(toNumber(signature.subarray(at + 2, at + 2 + length)))
    at += 2 + length
  }
  const [r, s, ...more] = numbers
  return r === undefined || s === undefined || more.length > 0 ? undefined : [r, s]
}

/** The shortest DER encoding. */
function derInteger(number: bigint): Buffer {
  const digits = number.toString(16)
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  return bytes.readUInt8(0) < 0x80 ? bytes : Buffer.concat([Buffer.from([0]), bytes])
}

function writeDer(integers: readonly Buffer[]): Buffer {
  const content = Buffer.concat(integers.flatMap((bytes) => [Buffer.from([2, bytes.length]), bytes]))
  return Buffer.concat([Buffer.from([0x30, content.length]), content])
}
