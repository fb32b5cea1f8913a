import { multiTopologyHash } from '../../interface/crypto-hash.js'
import type { JsonValue } from '../../lib/json/json.js'
import { readMessage } from '../../lib/protobuf/protobuf.js'
import { changeField, type FieldPath } from '../sign/message-edit.js'
import type { SigningKey } from '../sign/signing-key.js'
import { TargetError } from '../target/target.js'
import { itemsAt, stringAt, valueAt } from '../template/pointer.js'
import type { Caller } from './caller.js'

interface ExternalParty {
  hint: string
  /** The first key determines the party id. */
  keys: readonly [SigningKey, ...SigningKey[]]
  threshold: number
}

/** Returns the party id. Throws `TargetError`. */
export async function onboard(party: ExternalParty, synchronizer: string, call: Caller): Promise<string> {
  const { hint, keys, threshold } = party
  const [first, ...others] = keys
  const proposal = await call('generate-external-topology', {
    synchronizer,
    partyHint: hint,
    publicKey: { ...first.publicKey },
    localParticipantObservationOnly: false,
    otherConfirmingParticipantUids: [],
    observingParticipantUids: [],
  })
  const proposed = transactionsOf(proposal)
  const transactions = others.length === 0 ? proposed : proposed.map((bytes) => withKeys(bytes, others, threshold))
  const hash = multiTopologyHash(transactions)
  const allocated = await call('allocate-external-party', {
    synchronizer,
    identityProviderId: '',
    onboardingTransactions: transactions.map((bytes) => ({ transaction: bytes.toString('base64') })),
    multiHashSignatures: keys.map((key) => key.sign(hash)),
  })
  const id = stringAt(allocated, '/partyId')
  if (id === undefined) throw new TargetError(`allocate-external-party returned no party id for ${hint}`)
  return id
}

/** Throws `TargetError` if the hash to sign is not that of the transactions. */
function transactionsOf(proposal: JsonValue): Buffer[] {
  const texts = itemsAt(proposal, '/topologyTransactions').filter((item) => typeof item === 'string')
  const transactions = texts.map((text) => Buffer.from(text, 'base64'))
  const own = multiTopologyHash(transactions).toString('base64')
  const given = valueAt(proposal, '/multiHash')
  if (transactions.length > 0 && given === own) return transactions
  throw new TargetError(
    `generate-external-topology returned the hash ${JSON.stringify(given)}, but its ${transactions.length} transactions hash to ${own}. The run does not sign them.`,
  )
}

/** Field path: wrapper, transaction, mapping, party, keys. */
const signingKeys = [1, 3, 9, 6].map((number) => ({ number, nth: 0 }))
const inSigningKeys = (number: number, nth: number): FieldPath => [...signingKeys, { number, nth }]

function withKeys(transaction: Buffer, keys: readonly SigningKey[], threshold: number): Buffer {
  const first = inSigningKeys(1, 0)
  let changed = transaction
  for (const [index, key] of keys.entries()) {
    const copied = keyMessage(fieldAt(changed, first), key)
    changed = changeField(changed, inSigningKeys(1, index + 1), () => ({ number: 1, wire: 'bytes', value: copied }))
  }
  return changeField(changed, inSigningKeys(2, 0), () => ({ number: 2, wire: 'varint', value: BigInt(threshold) }))
}

function keyMessage(pattern: Buffer, key: SigningKey): Buffer {
  const bytes = Buffer.from(key.publicKey.keyData, 'base64')
  const withBytes = changeField(pattern, [{ number: 3, nth: 0 }], () => ({ number: 3, wire: 'bytes', value: bytes }))
  return changeField(withBytes, [{ number: 6, nth: 0 }], () => ({
    number: 6,
    wire: 'varint',
    value: BigInt(key.topologyNumber),
  }))
}

function fieldAt(message: Buffer, path: FieldPath): Buffer {
  let found = message
  for (const { number, nth } of path) {
    const field = readMessage(found).filter((item) => item.number === number)[nth]
    if (field?.wire !== 'bytes')
      throw new TargetError(`a proposed topology transaction has no field ${number} in the path to its keys`)
    found = field.value
  }
  return found
}
