/** Onboarding of parties that hold their own keys. */
import { multiTopologyHash } from '../../interface/crypto-hash.js'
import { grammars, violation } from '../../interface/grammars.js'
import { ProtobufError } from '../../lib/protobuf/protobuf.js'
import { demandUser, demandUserAdmin } from '../auth/authorize.js'
import { invalidArgument, invalidField, UnclassifiedError } from '../base/errors.js'
import { ok } from '../http/answer.js'
import { endpoint } from '../http/endpoint.js'
import { base64, list, members, oneOf, optional, required, text } from '../json/decode.js'
import {
  decodeTopology,
  encodeTopology,
  isSignedBy,
  keySpecNames,
  type PartyTopology,
  readKey,
} from '../ledger/state/external-party.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { Synchronizer } from '../ledger/state/synchronizer.js'

const generateBody = members({
  synchronizer: required(text),
  partyHint: required(text),
  publicKey: required(
    members({ format: required(text), keyData: required(base64), keySpec: required(oneOf(keySpecNames)) }),
  ),
})

export const generateExternalTopology = endpoint({
  method: 'post',
  path: '/v2/parties/external/generate-topology',
  body: generateBody,
  handle: ({ participant, caller, body }) => {
    demandUser(caller)
    const key = readKey(body.publicKey.keyData, body.publicKey.keySpec)
    if (!key) throw invalidArgument('service', `the key data is no ${body.publicKey.keySpec} key`)
    const problem = violation(grammars.synchronizerId, body.synchronizer)
    if (problem) throw invalidArgument('service', problem)
    if (!participant.ledger.synchronizer(body.synchronizer)) {
      throw invalidArgument('service', `Unknown or not connected synchronizer ${body.synchronizer}`)
    }
    const party = `${body.partyHint}::${key.fingerprint}`
    const partyProblem = violation(grammars.uniqueParty, party)
    if (partyProblem) throw invalidArgument('service', partyProblem)
    const transaction = encodeTopology({ party, keys: [key], threshold: 1 }, participant.ledger.participantId)
    return ok({
      partyId: party,
      publicKeyFingerprint: key.fingerprint,
      topologyTransactions: [transaction.toString('base64')],
      multiHash: multiTopologyHash([transaction]).toString('base64'),
    })
  },
})

const signature = members({ signature: required(base64), signedBy: required(text) })

const allocateBody = members({
  synchronizer: required(text),
  onboardingTransactions: required(list(members({ transaction: required(base64) }))),
  multiHashSignatures: optional(list(signature), []),
  userId: optional(text, ''),
})

export const allocateExternalParty = endpoint({
  method: 'post',
  path: '/v2/parties/external/allocate',
  body: allocateBody,
  handle: ({ participant, caller, body }) => {
    demandUserAdmin(caller)
    const synchronizer = synchronizerFor(body.synchronizer, participant.ledger)
    const transactions = body.onboardingTransactions.map(({ transaction }) => transaction)
    const topology = topologyOf(transactions)
    const message = multiTopologyHash(transactions)
    const verified = body.multiHashSignatures.every((item) => {
      const key = topology.keys.find(({ fingerprint }) => fingerprint === item.signedBy)
      return key !== undefined && isSignedBy(key, message, item.signature)
    })
    if (!verified) throw new UnclassifiedError('INVALID_ARGUMENT', 'Transaction signature verification failed')
    // A user who is not there must not leave a party behind.
    if (body.userId !== '') participant.users.get(body.userId, 'granting rights')
    // Without the signatures of all its keys the request is accepted, but the party never becomes usable (seen without any).
    const signers = body.multiHashSignatures.map(({ signedBy }) => signedBy)
    if (isAuthorized(topology, signers)) participant.ledger.hostExternalParty(topology, synchronizer)
    if (body.userId !== '') participant.users.grant(body.userId, [{ kind: 'CanActAs', party: topology.party }])
    return ok({ partyId: topology.party })
  },
})

/** The synchronizer of that id; here physical ids are taken too. Throws `LedgerError`. */
function synchronizerFor(id: string, ledger: Ledger): Synchronizer {
  const physical = ledger.synchronizers.find((item) => ledger.physicalId(item) === id)
  if (physical) return physical
  const problem = violation(grammars.synchronizerId, id)
  if (problem) throw invalidField('service', 'synchronizer', problem)
  const found = ledger.synchronizer(id)
  if (!found) throw invalidArgument('service', `This node is not connected to the requested synchronizer ${id}.`)
  return found
}

/** Every key has to agree, and one of them is the key that the party is named after. */
function isAuthorized({ party, keys }: PartyTopology, signers: readonly string[]): boolean {
  const namedAfter = party.split('::')[1]
  return (
    keys.some(({ fingerprint }) => fingerprint === namedAfter) &&
    keys.every(({ fingerprint }) => signers.includes(fingerprint))
  )
}

function topologyOf(transactions: readonly Buffer[]): PartyTopology {
  const [first] = transactions
  try {
    if (first) return decodeTopology(first)
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
  }
  throw invalidArgument('service', 'the onboarding transactions host no party')
}
