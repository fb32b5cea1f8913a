import { multiTopologyHash } from '../../interface/crypto-hash.js'
import { grammars } from '../../interface/grammars.js'
import { supportOperations } from '../../interface/operations.js'
import { ProtobufError } from '../../lib/protobuf/protobuf.js'
import { demandUser, demandUserAdmin } from '../auth/caller.js'
import { checkArgument, checkField } from '../base/checks.js'
import { invalidArgument, UnclassifiedError } from '../base/errors.js'
import { ok } from '../http/answer.js'
import { type Endpoint, endpoint, on } from '../http/endpoint.js'
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
import type { Synchronizer } from '../ledger/state/ledger-state.js'

const generateBody = members({
  synchronizer: required(text),
  partyHint: required(text),
  publicKey: required(
    members({ format: required(text), keyData: required(base64), keySpec: required(oneOf(keySpecNames)) }),
  ),
})

const generateExternalTopology = endpoint({
  ...on(supportOperations['generate-external-topology']),
  body: generateBody,
  handle: ({ participant, caller, body }) => {
    demandUser(caller)
    const key = readKey(body.publicKey.keyData, body.publicKey.keySpec)
    if (!key) throw invalidArgument('service', `the key data is no ${body.publicKey.keySpec} key`)
    checkArgument('service', grammars.synchronizerId, body.synchronizer)
    if (!participant.ledger.synchronizer(body.synchronizer)) {
      throw invalidArgument('service', `Unknown or not connected synchronizer ${body.synchronizer}`)
    }
    const party = `${body.partyHint}::${key.fingerprint}`
    checkArgument('service', grammars.uniqueParty, party)
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

const allocateExternalParty = endpoint({
  ...on(supportOperations['allocate-external-party']),
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
    // An unknown user must not leave a party.
    if (body.userId !== '') participant.users.get(body.userId, 'granting rights')
    // A request without the signatures of all keys succeeds, but the party is unusable (observed without signatures).
    const signers = body.multiHashSignatures.map(({ signedBy }) => signedBy)
    if (isAuthorized(topology, signers)) participant.ledger.hostExternalParty(topology, synchronizer)
    if (body.userId !== '') participant.users.grant(body.userId, [{ kind: 'CanActAs', party: topology.party }])
    return ok({ partyId: topology.party })
  },
})

/** Also accepts physical ids. Throws `LedgerError`. */
function synchronizerFor(id: string, ledger: Ledger): Synchronizer {
  const physical = ledger.synchronizers.find((item) => ledger.physicalId(item) === id)
  if (physical) return physical
  checkField('service', 'synchronizer', grammars.synchronizerId, id)
  const found = ledger.synchronizer(id)
  if (!found) throw invalidArgument('service', `This node is not connected to the requested synchronizer ${id}.`)
  return found
}

/** All keys must sign; one fingerprint must be in the party name. */
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

export const externalPartyEndpoints: readonly Endpoint[] = [generateExternalTopology, allocateExternalParty]
