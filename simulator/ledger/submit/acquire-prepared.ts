/** The participant interprets a signed transaction again and requires identical nodes. */

import {
  type CreateNode,
  create,
  type DamlTransaction,
  encodePreparedTransaction,
  type InputContract,
  type PreparedTransaction,
} from '../../../interface/prepared-transaction/codec.js'
import { normaliseCreate, normalisePreparedTransaction } from '../../../interface/prepared-transaction/normalise.js'
import { isInstant, printInstant } from '../../../lib/json/instant.js'
import { ProtobufError } from '../../../lib/protobuf/protobuf.js'
import {
  failedToExecute,
  LedgerError,
  noMediator,
  notSequencedInTime,
  RedactedError,
  ReferenceFault,
} from '../../base/errors.js'
import type { Slices } from '../../base/slices.js'
import { type Contract, type Disclosed, isAuthentic } from '../contracts/contract.js'
import { decodeBlob, keyHashIn } from '../contracts/created-event-blob.js'
import { interpret } from '../interpret/interpreter.js'
import type { PackageStore } from '../packages/package-store.js'
import { refuseUnknownInformees, route } from '../route/route.js'
import { viewWith } from '../route/routed-interpretation.js'
import { notConnectedToAny } from '../route/synchronizer-errors.js'
import type { DeduplicationPeriod } from '../state/deduplication.js'
import type { Ledger } from '../state/ledger.js'
import type { Synchronizer } from '../state/ledger-state.js'
import { PreparedIds, preparedContract, preparedNodes } from '../transactions/prepared-nodes.js'
import type { Interpretation, Submission } from '../transactions/transaction.js'
import { acquire, type Commit } from './acquire.js'
import { synchronizerNamed } from './execution-checks.js'
import { executionVerdict, type SignedContent } from './execution-verdict.js'
import { rootCommand } from './root-command.js'

interface Execution {
  identity: Submission
  prepared: PreparedTransaction
  /** The 32 signed bytes. */
  hash: Buffer
  deduplication: DeduplicationPeriod | undefined
  /** In microseconds; the execution does not wait for this time. */
  minLedgerTime: bigint | undefined
  traceId: string
  without: ReadonlySet<string>
}

/** Expects verified signatures. Throws `LedgerError` and `ReferenceFault`. */
export function* acquirePrepared(
  ledger: Ledger,
  { prepared, hash, minLedgerTime, ...submission }: Execution,
): Slices<Commit> {
  const now = ledger.clock.now()
  const { maxRecordTime, mediatorGroup } = prepared.metadata
  const synchronizer = synchronizerOf(prepared, ledger)
  const shownId = ledger.shownId(synchronizer)
  refuseSignatoriesWithoutStake(prepared.transaction)
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
  // Up to protocol version 34, `maxRecordTime` bounds the sequencing time, which the participant itself checks.
  if (maxRecordTime !== undefined && maxRecordTime < now && ledger.protocolVersion < 35) {
    throw notSequencedInTime(
      'service',
      'Transaction was not sequenced within the pre-defined max sequencing time and has therefore timed out',
      { context: { physicalSynchronizerId: shownId } },
    )
  }
  const effectiveAt = ledgerTime(prepared, now, minLedgerTime)
  // The verdict rejects times outside the range of ledger times.
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

/** `verifySigned` has checked the id. */
function synchronizerOf({ metadata }: PreparedTransaction, ledger: Ledger): Synchronizer {
  const found = synchronizerNamed(metadata.synchronizerId, ledger) ?? ledger.synchronizers[0]
  if (!found) throw notConnectedToAny()
  return found
}

function ledgerTime({ metadata }: PreparedTransaction, now: bigint, minLedgerTime = now): bigint {
  const { minLedgerEffectiveTime: min = now, maxLedgerEffectiveTime: max } = metadata
  const wanted = [now, minLedgerTime, min].reduce((a, b) => (a > b ? a : b))
  return max !== undefined && wanted > max ? max : wanted
}

const asDisclosed = (inputs: readonly Contract[]): Disclosed[] =>
  inputs.map((contract) => ({ contract, synchronizerId: '' }))

/** Undefined if the ledger's own interpretation differs from the signed transaction. */
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
      viewWith(ledger, asDisclosed(inputs), (name) => versionIn(transaction, name) ?? ledger.resolve(name)),
      effectiveAt,
      { root: () => rootSeed(transaction), preparedAt: metadata.preparationTime, salt: () => ledger.entropy.hex(32) },
    )
    return sameTransaction(prepared, preparedNodes(interpretation)) ? interpretation : undefined
  } catch (error) {
    if (error instanceof LedgerError || error instanceof ReferenceFault) return undefined
    throw error
  }
}

const versionIn = ({ nodes }: DamlTransaction, packageName: string): string | undefined =>
  nodes.flatMap(({ node }) =>
    (node.kind === 'exercise' || node.kind === 'fetch') && node.packageName === packageName
      ? [node.templateId.packageId]
      : [],
  )[0]

const rootSeed = ({ roots, nodeSeeds }: DamlTransaction): Buffer =>
  nodeSeeds.find(({ nodeId }) => String(nodeId) === roots[0])?.seed ?? Buffer.alloc(32)

/** Ignores the order of the listed nodes. */
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

/** The reference participant fails with an internal error in this case. */
function refuseSignatoriesWithoutStake({ nodes }: DamlTransaction): void {
  const isInvalid = nodes.some(
    ({ node }) => 'signatories' in node && node.signatories.some((party) => !node.stakeholders.includes(party)),
  )
  if (!isInvalid) return
  throw new ReferenceFault(
    new RedactedError('INTERNAL'),
    failedToExecute('a signatory of a contract is not among its stakeholders'),
    'server-error-for-strange-signatory',
  )
}

/** Undefined if a blob is invalid, not authentic, or differs from its description. */
function inputContracts({ metadata }: PreparedTransaction, packages: PackageStore): Contract[] | undefined {
  try {
    const contracts = metadata.inputContracts.map((input) => ({ input, held: decodeBlob(input.eventBlob, packages) }))
    const areValid = contracts.every(({ input, held }) => isAuthentic(held) && isDescribed(held, input))
    return areValid ? contracts.map(({ held }) => held) : undefined
  } catch (error) {
    if (error instanceof ProtobufError) return undefined
    throw error
  }
}

/** The description is signed, the blob is not. */
function isDescribed(held: Contract, { contract, createdAt, eventBlob }: InputContract): boolean {
  const own = withKeyHash(preparedContract(held, new PreparedIds(new Set())), keyHashIn(eventBlob))
  return held.createdAt === createdAt && print(contract).equals(print(own))
}

/** The participant that created the blob may hash keys differently. */
const withKeyHash = ({ key, ...contract }: CreateNode, hash: Buffer | undefined): CreateNode => ({
  ...contract,
  key: key && { ...key, key: { ...key.key, hash: hash ?? key.key.hash } },
})

const print = (contract: CreateNode): Buffer => create.toWire(normaliseCreate(contract))
