import { ProtobufError, readMessage, type WireField } from '../../lib/protobuf/protobuf.js'

/** The parts of a prepared transaction, without decoding nodes. */
export interface Outline {
  hasTransaction: boolean
  hasMetadata: boolean
  hasSubmitterInfo: boolean
  /** In the order of the bytes. */
  actAs: string[]
  /** Empty if absent. */
  synchronizerId: string
}

/** Throws `ProtobufError`. */
export function outlineOf(bytes: Buffer): Outline {
  const whole = readMessage(bytes)
  const metadata = readMessage(merged(whole, 2))
  const submitterInfo = readMessage(merged(metadata, 2))
  return {
    hasTransaction: has(whole, 1),
    hasMetadata: has(whole, 2),
    hasSubmitterInfo: has(metadata, 2),
    actAs: contents(submitterInfo, 1).map((party) => party.toString('utf8')),
    synchronizerId: contents(metadata, 3).at(-1)?.toString('utf8') ?? '',
  }
}

const has = (fields: readonly WireField[], number: number): boolean => contents(fields, number).length > 0

/** Repeated messages merge. */
const merged = (fields: readonly WireField[], number: number): Buffer => Buffer.concat(contents(fields, number))

function contents(fields: readonly WireField[], number: number): Buffer[] {
  const found: Buffer[] = []
  for (const field of fields) {
    if (field.number !== number) continue
    if (field.wire !== 'bytes') throw new ProtobufError(`field ${number} is not a message`, 0)
    found.push(field.value)
  }
  return found
}
