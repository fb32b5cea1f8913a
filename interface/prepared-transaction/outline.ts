import { ProtobufError, readMessage, type WireField } from '../../lib/protobuf/protobuf.js'

/** What can be told of a prepared transaction without reading all of it: which parts are there, and whom it speaks for. */
export interface Outline {
  hasTransaction: boolean
  hasMetadata: boolean
  hasSubmitterInfo: boolean
  /** Acting parties, in the order of the bytes. */
  actAs: string[]
  /** Empty where there is none. */
  synchronizerId: string
}

/** Reads the outline; throws `ProtobufError` when the bytes are no protobuf. */
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

/** A message that occurs several times counts as one with all the fields. */
const merged = (fields: readonly WireField[], number: number): Buffer => Buffer.concat(contents(fields, number))

function contents(fields: readonly WireField[], number: number): Buffer[] {
  const found: Buffer[] = []
  for (const field of fields) {
    if (field.number !== number) continue
    if (field.wire !== 'bytes') throw new ProtobufError(`field ${number} is no message`, 0)
    found.push(field.value)
  }
  return found
}
