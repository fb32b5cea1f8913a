/**
 * From a signed prepared transaction to a submission in flight. What was signed is interpreted again and has to come to the
 * very same nodes: a participant confirms what its model says, not what somebody has written down.
 */

import { encodePreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import { create } from '../../../interface/prepared-transaction/node-codec.js'
import { normaliseCreate, normalisePreparedTransaction } from '../../../interface/prepared-transaction/normalise.js'
import type {
  CreateNode,
  DamlTransaction,
  InputContract,
  PreparedTransaction,
} from '../../../interface/prepared-transaction/prepared-transaction.js'
import { isInstant, printInstant } from '../../../lib/json/instant.js'
import { ProtobufError } from '../../../lib/protobuf/protobuf.js'
import type { Enforcement } from '../../base/checks.js'
import {
  failedToExecute,
  LedgerError,
  noMediator,
  notSequencedInTime,
  RedactedError,
  ReferenceFault,
} from '../../base/errors.js'
import type { Slices } from '../../base/slices.js'
import type { Contract } from '../contracts/contract.js'
import { isAuthentic } from '../contracts/contract-id.js'
import { decodeBlob, keyHashIn } from '../contracts/created-event-blob.js'
import { interpret } from '../interpret/interpreter.js'
import type { PackageStore } from '../packages/package-store.js'
import { refuseUnknownInformees } from '../route/admissible-synchronizers.js'
import { route } from '../route/route.js'
import { viewWith } from '../route/routed-interpretation.js'
import { notConnectedToAny } from '../route/synchronizer-errors.js'
import type { DeduplicationPeriod } from '../state/deduplication.js'
import type { Ledger } from '../state/ledger.js'
import type { Synchronizer } from '../state/synchronizer.js'
import { PreparedIds } from '../transactions/prepared-ids.js'
import { preparedContract, preparedNodes } from '../transactions/prepared-nodes.js'
import type { Interpretation, Submission } from '../transactions/transaction.js'
import { acquire, type InFlightSubmission } from './acquire.js'
import { synchronizerNamed } from './execution-checks.js'
import { executionVerdict, type SignedContent } from './execution-verdict.js'
import { rootCommand } from './root-command.js'

interface Execution {
  identity: Submission
  prepared: PreparedTransaction
  /** The 32 bytes that were signed. */
  hash: Buffer
  deduplication: DeduplicationPeriod | undefined
  /** Lower bound of the ledger time, in microseconds; nobody waits for it. */
  minLedgerTime: bigint | undefined
  traceId: string
  enforcement: Enforcement
}

/** Acquires what a transaction needs whose signatures were found good. Throws `LedgerError` and `ReferenceFault`. */
export function* acquirePrepared(
  ledger: Ledger,
  { prepared, hash, minLedgerTime, ...submission }: Execution,
): Slices<InFlightSubmission> {
  const now = ledger.clock.now()
  const { maxRecordTime, mediatorGroup } = prepared.metadata
  const synchronizer = synchronizerOf(prepared, ledger)
  const shownId = ledger.shownId(synchronizer)
  refuseStrangeSignatories(prepared.transaction)
  if (mediatorGroup !== 0) {
    throw noMediator('service', 'There are no active mediators on the synchronizer', {
      context: {
        physicalSynchronizerId: shownId,
        chosenSynchronizerId: shownId,
        topologySnapshotTimestamp: printInstant(now),
      },
    })
  }
  refuseUnknownInformees(ledger, partiesOf(prepared.transaction))
  // Up to protocol version 34 it bounds the time of sequencing, so that the participant notices by itself.
  if (maxRecordTime !== undefined && maxRecordTime < now && ledger.protocolVersion < 35) {
    throw notSequencedInTime(
      'service',
      'Transaction was not sequenced within the pre-defined max sequencing time and has therefore timed out',
      { context: { physicalSynchronizerId: shownId } },
    )
  }
  const effectiveAt = ledgerTime(prepared, now, minLedgerTime)
  // The verdict is about the time where no ledger can have it: nothing can be interpreted then.
  const canBe = isInstant(effectiveAt)
  const interpretation = canBe ? yield* conforming(ledger, prepared, effectiveAt) : undefined
  const routing = { submitters: [], readers: prepared.metadata.submitterInfo.actAs, prescribed: synchronizer.id }
  const routed = interpretation && route(ledger, routing, interpretation)
  const conforms = interpretation !== undefined || !canBe
  const content: SignedContent = { prepared, effectiveAt, synchronizer, conforms }
  return acquire(ledger, {
    ...submission,
    interpretation: interpretation ?? { nodes: [], hidden: [], ledgerTime: {}, informees: [] },
    route: routed ?? { synchronizer, reassigned: [] },
    effectiveAt,
    externalHash: hash.toString('hex'),
    verdict: () => executionVerdict(ledger, content),
  })
}

const partiesOf = ({ nodes }: DamlTransaction): string[] => [
  ...new Set(nodes.flatMap(({ node }) => ('stakeholders' in node ? node.stakeholders : []))),
]

/** The synchronizer that the transaction was prepared for, which was checked. */
function synchronizerOf({ metadata }: PreparedTransaction, ledger: Ledger): Synchronizer {
  const found = synchronizerNamed(metadata.synchronizerId, ledger) ?? ledger.synchronizers[0]
  if (!found) throw notConnectedToAny()
  return found
}

/** The lower bound or now, within what the transaction is bound to because it has read the time. */
function ledgerTime({ metadata }: PreparedTransaction, now: bigint, minLedgerTime = now): bigint {
  const { minLedgerEffectiveTime: min = now, maxLedgerEffectiveTime: max } = metadata
  const wanted = [now, minLedgerTime, min].reduce((a, b) => (a > b ? a : b))
  return max !== undefined && wanted > max ? max : wanted
}

/** The transaction as the ledger itself interprets it; undefined when that is not what was signed. */
function* conforming(
  ledger: Ledger,
  prepared: PreparedTransaction,
  effectiveAt: bigint,
): Slices<Interpretation | undefined> {
  const { transaction, metadata } = prepared
  const inputs = inputContracts(prepared, ledger.packages)
  const command = rootCommand(transaction, ledger.packages)
  if (!inputs || !command) return undefined
  try {
    const interpretation = yield* interpret(
      [command],
      { actAs: metadata.submitterInfo.actAs, readAs: [], disclosed: new Set(inputs.map(({ id }) => id)) },
      viewWith(ledger, inputs, (name) => versionIn(transaction, name) ?? ledger.resolve(name)),
      effectiveAt,
      { root: () => rootSeed(transaction), preparedAt: metadata.preparationTime, salt: () => ledger.entropy.hex(32) },
    )
    return sameTransaction(prepared, preparedNodes(interpretation)) ? interpretation : undefined
  } catch (error) {
    if (error instanceof LedgerError || error instanceof ReferenceFault) return undefined
    throw error
  }
}

/** The version of the package by that name which was used when the transaction was prepared. */
const versionIn = ({ nodes }: DamlTransaction, packageName: string): string | undefined =>
  nodes.flatMap(({ node }) =>
    (node.kind === 'exercise' || node.kind === 'fetch') && node.packageName === packageName
      ? [node.templateId.packageId]
      : [],
  )[0]

const rootSeed = ({ roots, nodeSeeds }: DamlTransaction): Buffer =>
  nodeSeeds.find(({ nodeId }) => String(nodeId) === roots[0])?.seed ?? Buffer.alloc(32)

/** Whether the nodes say the same; the order in which they are listed does not matter. */
function sameTransaction({ transaction, metadata }: PreparedTransaction, own: DamlTransaction): boolean {
  const print = (listed: DamlTransaction): Buffer => {
    const sorted: DamlTransaction = {
      ...listed,
      nodes: listed.nodes.toSorted((a, b) => Number(a.nodeId) - Number(b.nodeId)),
      nodeSeeds: listed.nodeSeeds.toSorted((a, b) => a.nodeId - b.nodeId),
    }
    return encodePreparedTransaction(normalisePreparedTransaction({ transaction: sorted, metadata }))
  }
  return print(transaction).equals(print(own))
}

/** Whoever signs a contract has a stake in it; a transaction that says otherwise is a fault that the reference stumbles over. */
function refuseStrangeSignatories({ nodes }: DamlTransaction): void {
  const strange = nodes.some(
    ({ node }) => 'signatories' in node && node.signatories.some((party) => !node.stakeholders.includes(party)),
  )
  if (!strange) return
  throw new ReferenceFault(
    new RedactedError('INTERNAL'),
    failedToExecute('a signatory of a contract is not among its stakeholders'),
  )
}

// The contracts that come with a prepared transaction: a description, which is signed, and a blob, which nobody signs.

/** The contracts in the blobs; undefined when one of them is none, not what its id says, or not what it is described as. */
function inputContracts({ metadata }: PreparedTransaction, packages: PackageStore): Contract[] | undefined {
  try {
    const contracts = metadata.inputContracts.map((input) => ({ input, held: decodeBlob(input.eventBlob, packages) }))
    const isTrue = contracts.every(({ input, held }) => isAuthentic(held) && isDescribed(held, input))
    return isTrue ? contracts.map(({ held }) => held) : undefined
  } catch (error) {
    if (error instanceof ProtobufError) return undefined
    throw error
  }
}

/** The signer has seen the description; the blob is what the participant believes. */
function isDescribed(held: Contract, { contract, createdAt, eventBlob }: InputContract): boolean {
  const own = withKeyHash(preparedContract(held, new PreparedIds(new Set())), keyHashIn(eventBlob))
  return held.createdAt === createdAt && print(contract).equals(print(own))
}

/** A contract that another participant described has its key hashed by that one. */
const withKeyHash = ({ key, ...contract }: CreateNode, hash: Buffer | undefined): CreateNode => ({
  ...contract,
  key: key && { ...key, key: { ...key.key, hash: hash ?? key.key.hash } },
})

const print = (contract: CreateNode): Buffer => create.toWire(normaliseCreate(contract))
