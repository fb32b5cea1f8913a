/** Checks of a signed transaction in the order of the reference participant 3.5.10, each with its rule. */
import type { Outline, PreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import { hashPreparedTransaction } from '../../../interface/prepared-transaction/hash.js'
import {
  type HashingScheme,
  MissingNode,
  TransactionHashError,
} from '../../../interface/prepared-transaction/hash-encoding.js'
import { Checks } from '../../base/checks.js'
import { failedToExecute, missingField, RedactedError, ReferenceFault } from '../../base/errors.js'
import { shortened } from '../../base/strings.js'
import type { PartyTopology } from '../state/external-party.js'
import type { Ledger } from '../state/ledger.js'
import type { Synchronizer } from '../state/ledger-state.js'
import { countSignatures, type PartySignature } from './party-signature.js'
import { preparedSynchronizerId } from './prepare.js'
import { preparedProblems } from './prepared-problems.js'

export interface SignedTransaction {
  outline: Outline
  /** In the participant's own order; undefined if a node or value has no content. */
  prepared: PreparedTransaction | undefined
  scheme: HashingScheme
  signatures: ReadonlyMap<string, readonly PartySignature[]>
  /** Maximum per party. */
  signatureLimit: number
}

interface Subject extends SignedTransaction {
  ledger: Ledger
}

/** Returns the transaction and the signed hash. Throws `LedgerError` and `ReferenceFault`. */
export function verifySigned(
  ledger: Ledger,
  signed: SignedTransaction,
  without: ReadonlySet<string>,
): { prepared: PreparedTransaction; hash: Buffer } {
  partChecks.run({ ...signed, ledger }, without)
  const { prepared } = signed
  if (!prepared) throw failedToExecute('Failed to deserialize transaction: a node or a value has no content')
  contentChecks.run({ ...signed, prepared, ledger }, without)
  const hash = hashOf(prepared, signed.scheme)
  const subject = { ...signed, prepared, ledger, hash, without }
  keyChecks.run(subject, without)
  signatureChecks.run(subject, without)
  return { prepared, hash }
}

const partChecks = new Checks<Subject>({
  'EXE-SIGNATURES-LIMIT': ({ signatures, signatureLimit: limit }) => {
    if ([...signatures.values()].every((given) => given.length <= limit)) return
    throw failedToExecute(
      `A party provided more than the maximum number of signatures allowed (${limit}) for a single submission`,
    )
  },
  'EXE-PREPARED-VALID': ({ outline }) => {
    if (!outline.hasTransaction) throw missingField('service', 'transaction')
    if (!outline.hasMetadata) throw missingField('service', 'metadata')
    if (!outline.hasSubmitterInfo) throw missingField('service', 'submitter_info')
  },
})

interface ContentSubject extends Subject {
  prepared: PreparedTransaction
}

const contentChecks = new Checks<ContentSubject>({
  'EXE-PREPARED-VALID': ({ prepared, ledger }) => {
    if (prepared.transaction.roots.length !== 1) {
      throw failedToExecute('Transaction with multiple root nodes are not supported')
    }
    for (const problem of preparedProblems(prepared, ledger.packages)) throw failedToExecute(problem)
    refuseOtherInputs(prepared)
    refuseOtherSynchronizer(prepared, ledger)
  },
  'EXE-HASHING-SCHEME-V3': ({ scheme, ledger: { protocolVersion } }) => {
    if (scheme === 'V2' || protocolVersion >= 35) return
    throw failedToExecute(
      `Hashing scheme version ${scheme} is not supported on protocol version ${protocolVersion}. Minimum protocol version for hashing version ${scheme}: 35. Supported hashing version on protocol version ${protocolVersion}: V2`,
    )
  },
})

const listed = (items: readonly string[]): string =>
  items.length > 20 ? `${items.slice(0, 20).join(', ')} and ${items.length - 20} more` : items.join(', ')

/** Input contracts are those that the transaction uses and does not create. */
function refuseOtherInputs({ transaction, metadata }: PreparedTransaction): void {
  const nodes = transaction.nodes.map(({ node }) => node)
  const created = new Set(nodes.flatMap((node) => (node.kind === 'create' ? [node.contractId] : [])))
  const used = new Set(
    nodes.flatMap((node) => (node.kind === 'exercise' || node.kind === 'fetch' ? [node.contractId] : [])),
  )
  for (const id of created) used.delete(id)
  const given = new Set(metadata.inputContracts.map(({ contract }) => contract.contractId))
  const missing = [...used].filter((id) => !given.has(id))
  const superfluous = [...given].filter((id) => !used.has(id))
  if (missing.length + superfluous.length === 0) return
  const [kind, ids] = missing.length > 0 ? ['Missing', missing] : ['Superfluous', superfluous]
  throw failedToExecute(
    `Provided input contracts do not match the input contracts in the transaction: ${kind} input contracts: ${listed(ids.map((id) => `ContractId(${id})`))}`,
  )
}

function refuseOtherSynchronizer({ metadata: { synchronizerId } }: PreparedTransaction, ledger: Ledger): void {
  const synchronizer = synchronizerNamed(synchronizerId, ledger)
  if (!synchronizer) {
    throw failedToExecute(
      `Cannot find a physical synchronizer for ${shortened(synchronizerId)}. Make sure the participant is connected to the synchronizer.`,
    )
  }
  const expected = preparedSynchronizerId(ledger, synchronizer)
  if (synchronizerId === expected) return
  const isPhysical = expected === ledger.physicalId(synchronizer)
  const [kind, versions] = isPhysical ? ['Physical', '> 34'] : ['Logical', '<= 34']
  throw failedToExecute(
    `The selected synchronizer ${ledger.shownId(synchronizer)} is on Protocol Version ${ledger.protocolVersion}. Please use a ${kind} Synchronizer ID in the prepared transaction metadata on PVs ${versions}`,
  )
}

/** Accepts logical and physical ids. */
export const synchronizerNamed = (id: string, ledger: Ledger): Synchronizer | undefined =>
  ledger.synchronizers.find((item) => item.id === id.split('::').slice(0, 2).join('::'))

function hashOf(prepared: PreparedTransaction, scheme: HashingScheme): Buffer {
  try {
    return hashPreparedTransaction(prepared, scheme)
  } catch (error) {
    if (!(error instanceof TransactionHashError)) throw error
    const proper = failedToExecute(error.message)
    if (!(error instanceof MissingNode)) throw proper
    const redacted = new RedactedError('INTERNAL', { traced: false })
    throw new ReferenceFault(redacted, proper, 'server-error-for-missing-nodes')
  }
}

interface SignatureSubject extends ContentSubject {
  hash: Buffer
  without: ReadonlySet<string>
}

interface Signer {
  party: string
  given: readonly PartySignature[]
  topology: Readonly<PartyTopology> | undefined
}

/** Skips parties without signatures, which an earlier check rejects. */
const ofEachSigner =
  (run: (signer: Signer, subject: SignatureSubject) => void) =>
  (subject: SignatureSubject): void => {
    for (const party of subject.prepared.metadata.submitterInfo.actAs) {
      const given = subject.signatures.get(party)
      if (given) run({ party, given, topology: subject.ledger.state.externalParties.get(party) }, subject)
    }
  }

/** Messages cut party ids after the start of the fingerprint. */
const short = (party: string): string => `${party.slice(0, party.indexOf('::') + 14)}...`

function demandValid(count: (topology: Readonly<PartyTopology>) => number) {
  return ({ party, given, topology }: Signer, { hash, without }: SignatureSubject): void => {
    if (!topology) return
    const { valid, invalid } = countSignatures(given, topology.keys, hash, without)
    if (valid >= count(topology)) return
    throw failedToExecute(
      `Received ${valid} valid signatures from distinct keys (${invalid} invalid), but expected at least ${topology.threshold} valid for ${short(party)}. Transaction hash to be signed: 1220${hash.toString('hex')}. Ensure the correct transaction hash is signed with the correct key(s).`,
    )
  }
}

const keyChecks = new Checks<SignatureSubject>({
  'EXE-SIGNATURES-AUTHORIZE': ({ prepared, signatures }) => {
    const unsigned = prepared.metadata.submitterInfo.actAs.filter((party) => !signatures.has(party))
    if (unsigned.length === 0) return
    throw failedToExecute(`The following actAs parties did not provide an external signature: ${listed(unsigned)}`)
  },
  'EXE-SIGNATURE-KEY': ofEachSigner(({ party, topology }) => {
    if (!topology) throw failedToExecute(`Could not find party signing keys for ${short(party)}.`)
  }),
  'EXE-SIGNATURES-LIMIT': ofEachSigner(({ party, given, topology }, { ledger: { protocolVersion } }) => {
    if (protocolVersion < 35 || !topology || given.length <= topology.keys.length) return
    throw failedToExecute(
      `${given.length} external signatures were provided, which is more than the number of registered signing keys (${topology.keys.length}) with protocol usage for ${short(party)}`,
    )
  }),
})

const signatureChecks = new Checks<SignatureSubject>({
  'EXE-SIGNATURES-AUTHORIZE': ofEachSigner(demandValid(() => 1)),
  'EXE-SIGNATURE-THRESHOLD': ofEachSigner(demandValid(({ threshold }) => threshold)),
})
