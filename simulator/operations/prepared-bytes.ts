import { decodePreparedTransaction } from '../../interface/prepared-transaction/codec.js'
import { normalisePreparedTransaction } from '../../interface/prepared-transaction/normalise.js'
import { type Outline, outlineOf } from '../../interface/prepared-transaction/outline.js'
import type { PreparedTransaction } from '../../interface/prepared-transaction/prepared-transaction.js'
import { ProtobufError } from '../../lib/protobuf/protobuf.js'
import { MissingPartError } from '../../lib/protobuf/protobuf-message.js'
import { invalidArgument } from '../base/errors.js'

export interface PreparedBytes {
  outline: Outline
  /** Normalized; undefined: a node or value lacks content. */
  prepared: PreparedTransaction | undefined
}

/** Throws `LedgerError`. */
export function readPreparedBytes(bytes: Buffer): PreparedBytes {
  try {
    const outline = outlineOf(bytes)
    return { outline, prepared: readWhole(bytes) }
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw invalidArgument('conversion', 'Cannot parse prepared_transaction')
  }
}

function readWhole(bytes: Buffer): PreparedTransaction | undefined {
  try {
    return normalisePreparedTransaction(decodePreparedTransaction(bytes))
  } catch (error) {
    if (error instanceof MissingPartError) return undefined
    throw error
  }
}
