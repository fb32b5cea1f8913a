import { multiTopologyHash, topologyHash } from '../../interface/crypto-hash.js'
import { grammars, violation } from '../../interface/grammars.js'
import { supportOperations } from '../../interface/operations.js'
import { ProtobufError } from '../../lib/protobuf/protobuf.js'
import { demandUser, demandUserAdmin } from '../auth/caller.js'
import { checkArgument, checkField, checkOptionalField } from '../base/checks.js'
import { invalidArgument, invalidField, missingField, RedactedError, ReferenceFault } from '../base/errors.js'
import { shortened } from '../base/strings.js'
import { ok } from '../http/answer.js'
import { type Endpoint, endpoint, on } from '../http/endpoint.js'
import {
  absentable,
  base64,
  type DecodedBy,
  flag,
  int32,
  list,
  message,
  oneOf,
  optional,
  required,
  text,
} from '../json/decode.js'
import {
  decodeTopology,
  encodeTopology,
  type Hosting,
  type HostingParticipant,
  isInFormat,
  isSignedBy,
  type KeySpec,
  keyFormats,
  keySpecNames,
  type PartyKey,
  type PartyTopology,
  readKey,
} from '../ledger/state/external-party.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { Synchronizer } from '../ledger/state/ledger-state.js'
import { isInForm, type PartySignature } from '../ledger/submit/party-signature.js'
import { signature } from '../operations/execute-body.js'
import { refuseUnknownProvider } from './accounts.js'

const invalid = (problem: string): Error => invalidArgument('reading', problem)

const publicKeyBody = message({
  format: required(oneOf(keyFormats)),
  keyData: optional(base64, Buffer.alloc(0)),
  keySpec: required(oneOf<KeySpec | 'SIGNING_KEY_SPEC_UNSPECIFIED'>(['SIGNING_KEY_SPEC_UNSPECIFIED', ...keySpecNames])),
})

const generateBody = message({
  synchronizer: optional(text, ''),
  partyHint: optional(text, ''),
  publicKey: absentable(publicKeyBody),
  localParticipantObservationOnly: optional(flag, false),
  otherConfirmingParticipantUids: optional(list(text), []),
  confirmationThreshold: optional(int32, 0n),
  observingParticipantUids: optional(list(text), []),
})

const generateExternalTopology = endpoint({
  ...on(supportOperations['generate-external-topology']),
  body: generateBody,
  handle: ({ participant: { ledger }, caller, body }) => {
    demandUser(caller)
    if (body.partyHint === '') throw invalid('Party hint is empty')
    const key = keyIn(body.publicKey)
    checkArgument('reading', grammars.synchronizerId, body.synchronizer)
    if (!ledger.synchronizer(body.synchronizer)) {
      throw invalid(`Unknown or not connected synchronizer ${shortened(body.synchronizer)}`)
    }
    const party = `${body.partyHint}::${key.fingerprint}`
    checkArgument('reading', grammars.uniqueParty, party)
    const transaction = encodeTopology({ party, keys: [key], threshold: 1 }, hostingOf(body, ledger.participantId))
    return ok({
      partyId: party,
      publicKeyFingerprint: key.fingerprint,
      topologyTransactions: [transaction.toString('base64')],
      multiHash: multiTopologyHash([transaction]).toString('base64'),
    })
  },
})

/** Throws `INVALID_ARGUMENT` and `ReferenceFault`. */
function keyIn(given: DecodedBy<typeof publicKeyBody> | undefined): PartyKey {
  if (!given) throw invalid('Field `public_key` is not set')
  const { format, keyData, keySpec } = given
  if (format === 'CRYPTO_KEY_FORMAT_UNSPECIFIED') throw invalid('Field `format` is not set')
  if (keySpec === 'SIGNING_KEY_SPEC_UNSPECIFIED') throw invalid('Field `key_spec` is not set')
  if (keyData.length === 0) throw incomplete('the key data is empty')
  const key = readKey(keyData, keySpec)
  if (!key || !isInFormat(key, keyData, format)) throw invalid(`the key data is no ${keySpec} key in ${format}`)
  return key
}

const incomplete = (problem: string): ReferenceFault =>
  new ReferenceFault(
    new RedactedError('INTERNAL', { traced: false }),
    invalidArgument('reading', problem),
    'server-error-for-incomplete-topology',
  )

/** Threshold 0: all confirming participants. Throws `INVALID_ARGUMENT` and `ReferenceFault`. */
function hostingOf(body: DecodedBy<typeof generateBody>, own: string): Hosting {
  const lists = {
    otherConfirmingParticipantUids: body.otherConfirmingParticipantUids,
    observingParticipantUids: body.observingParticipantUids,
  }
  for (const [name, ids] of Object.entries(lists)) {
    for (const id of ids) checkParticipant(id)
    if (ids.includes(own)) throw invalid(`This participant node (${memberName(own)}) must not be listed in '${name}'.`)
  }
  const others = Object.values(lists).flat()
  const repeated = others.filter((id, index) => others.indexOf(id) !== index)
  if (repeated.length > 0) {
    throw invalid(
      `The following participant IDs are referenced multiple times in the request: ${repeated.map(shortened).join(', ')}.`,
    )
  }
  const participants: HostingParticipant[] = [
    { id: own, permission: body.localParticipantObservationOnly ? 'observation' : 'confirmation' },
    ...lists.otherConfirmingParticipantUids.map((id) => ({ id, permission: 'confirmation' as const })),
    ...lists.observingParticipantUids.map((id) => ({ id, permission: 'observation' as const })),
  ]
  const confirming = participants.filter(({ permission }) => permission === 'confirmation').length
  const threshold = Number(body.confirmationThreshold)
  if (threshold < 0) throw invalid('Confirmation threshold must not be negative')
  if (threshold > confirming) throw invalid('Confirmation threshold exceeds number of confirming participants')
  if (confirming === 0) throw incomplete('no participant confirms')
  return { participants, threshold: threshold === 0 ? confirming : threshold }
}

/** A prefix as in `PAR::id` makes the namespace invalid. */
const checkParticipant = (id: string): void => checkArgument('reading', grammars.participantId, id)

const memberName = (id: string): string => `PAR::${shortened(id)}`

const allocateBody = message({
  synchronizer: optional(text, ''),
  onboardingTransactions: optional(
    list(message({ transaction: optional(base64, Buffer.alloc(0)), signatures: optional(list(signature), []) })),
    [],
  ),
  multiHashSignatures: optional(list(signature), []),
  identityProviderId: optional(text, ''),
  userId: optional(text, ''),
  waitForAllocation: absentable(flag),
})

const allocateExternalParty = endpoint({
  ...on(supportOperations['allocate-external-party']),
  body: allocateBody,
  handle: ({ participant: { ledger, users, identityProviders }, caller, body, submission }) => {
    demandUserAdmin(caller)
    const synchronizer = synchronizerFor(body.synchronizer, ledger)
    for (const { signatures } of body.onboardingTransactions) signatures.forEach(checkSignature)
    body.multiHashSignatures.forEach(checkSignature)
    const transactions = body.onboardingTransactions.map(({ transaction }) => transaction)
    const [first, ...more] = transactions.map(topologyIn)
    if (!first) throw invalidField('reading', 'onboarding_transactions', 'Transactions field is empty')
    if (more.length > 0)
      throw invalid(`Only one transaction that hosts the party can be provided, got ${transactions.length}`)
    const { topology, hosts } = first
    refuseUnknownProvider('reading', body.identityProviderId, identityProviders)
    checkOptionalField('reading', 'user_id', grammars.userId, body.userId)
    // An unknown user must not leave a party.
    if (body.userId !== '') users.get(body.userId, "checking user's existence")
    if (ledger.isHosted(topology.party, synchronizer)) {
      submission.submissionId = `1220${ledger.entropy.hex(32)}`
      const places = `${shortened(topology.party)} already exists on synchronizer ${shortened(synchronizer.id)}`
      throw invalidArgument('request', `Party ${places}`, { submissionId: `'${submission.submissionId}'` })
    }
    const message = multiTopologyHash(transactions)
    const signers = [
      ...verifiedSigners(body.multiHashSignatures, topology, message),
      ...body.onboardingTransactions.flatMap(({ transaction, signatures }) =>
        verifiedSigners(signatures, topology, topologyHash(transaction)),
      ),
    ]
    refuseUnknownMembers(hosts, ledger)
    // A request without the signatures of all keys succeeds, but the party is unusable (observed without signatures).
    if (isAuthorized(topology, signers)) ledger.hostExternalParty(topology, synchronizer)
    else ledger.proposeExternalParty(topology.party)
    if (body.userId !== '') users.grant(body.userId, [{ kind: 'CanActAs', party: topology.party }])
    return ok({ partyId: topology.party })
  },
})

/** Throws `INVALID_FIELD`. */
function checkSignature({ format, algorithm, signedBy }: PartySignature): void {
  const field = 'multi_hash_signatures.signatures'
  if (format === 'SIGNATURE_FORMAT_UNSPECIFIED') {
    throw invalidField('reading', 'format', 'Signature format must be specified')
  }
  if (algorithm === 'SIGNING_ALGORITHM_SPEC_UNSPECIFIED') {
    throw invalidField('reading', field, `Signing algorithm spec ${algorithm} not supported`)
  }
  checkField('reading', field, grammars.fingerprint, signedBy)
}

/** Signatures of other keys have no effect. Throws `RedactedError` for an invalid signature. */
function verifiedSigners(signatures: readonly PartySignature[], { keys }: PartyTopology, message: Buffer): string[] {
  return signatures.flatMap((given) => {
    const key = keys.find(({ fingerprint }) => fingerprint === given.signedBy)
    if (!key) return []
    if (isInForm(given, key) && isSignedBy(key, message, given.signature)) return [key.fingerprint]
    const description = 'Transaction signature verification failed'
    throw new RedactedError('INVALID_ARGUMENT', { traced: false, description })
  })
}

function refuseUnknownMembers(hosts: readonly string[], { participantId }: Ledger): void {
  const unknown = hosts.filter((id) => id !== participantId)
  if (unknown.length === 0) return
  const description = `Members ${unknown.sort().map(memberName).join(', ')} are unknown.`
  throw new RedactedError('NOT_FOUND', { traced: false, description })
}

/** Also accepts physical ids. Throws `LedgerError`. */
function synchronizerFor(id: string, ledger: Ledger): Synchronizer {
  if (id === '') throw missingField('reading', 'synchronizer')
  const physical = ledger.synchronizers.find((item) => ledger.physicalId(item) === id)
  if (physical) return physical
  if (violation(grammars.synchronizerId, id)) {
    throw invalidField('reading', 'synchronizer', `Unable to parse \`${id}\` as physical synchronizer id`)
  }
  const found = ledger.synchronizer(id)
  if (!found) throw invalid(`This node is not connected to the requested synchronizer ${shortened(id)}.`)
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

/** Throws `INVALID_FIELD`. */
function topologyIn(transaction: Buffer): ReturnType<typeof decodeTopology> {
  try {
    return decodeTopology(transaction)
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw invalidField('reading', 'onboarding_transactions.transaction', `Invalid transaction: ${error.message}`)
  }
}

export const externalPartyEndpoints: readonly Endpoint[] = [generateExternalTopology, allocateExternalParty]
