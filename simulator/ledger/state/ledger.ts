import type { DamlIdentifier, DamlValue } from '../../../interface/daml-value.js'
import { LedgerError } from '../../base/errors.js'
import { newMetadata, type ObjectMetadata } from '../../base/object-metadata.js'
import { inOnePiece, shortened } from '../../base/strings.js'
import type { Contract } from '../contracts/contract.js'
import { type HeldPackage, type PackageStore, packageCandidates } from '../packages/package-store.js'
import {
  applyChanges,
  isValidAt,
  nextVetting,
  refuseInvalidUpgrades,
  refuseUnvettedDependencies,
  type VettingChange,
  type VettingState,
} from '../packages/vetting.js'
import {
  assignmentOf,
  type Completion,
  keptNodes,
  keptSubmission,
  SharedParts,
  type StoredContract,
  type Submission,
  type Transaction,
} from '../transactions/transaction.js'
import { Changes, type Clock } from './clock.js'
import { InFlight } from './deduplication.js'
import type { Entropy } from './entropy.js'
import type { PartyTopology } from './external-party.js'
import type { InterpretedSubmission, Verdict } from './interpreted-submission.js'
import { enterTransaction, type LedgerState, type Route, type Synchronizer } from './ledger-state.js'
import { type Decisions, isUnderKey, usualDecisions } from './ledger-view.js'

/** Unassignment, assignment and their acknowledgements. */
const offsetsOfReassignment = 6

/**
 * The state of the ledger, and all that changes it.
 * @example
 * const entropy = createEntropy('seed')
 * const ledger = new Ledger(systemClock(), entropy, firstState(beginning, entropy))
 */
export class Ledger {
  readonly clock: Clock
  readonly entropy: Entropy
  readonly state: LedgerState
  readonly decisions: Decisions
  /** Not part of the state: a submission commits on its own ledger or not at all. */
  readonly inFlight: InFlight
  readonly changes = new Changes()
  /** Saves memory; not part of the state. */
  readonly shared = new SharedParts()

  /** Changes the given state. */
  constructor(clock: Clock, entropy: Entropy, state: LedgerState, decisions: Decisions = usualDecisions) {
    this.clock = clock
    this.entropy = entropy
    this.state = state
    this.decisions = decisions
    this.inFlight = new InFlight(decisions.changeId)
  }

  get participantId(): string {
    return this.state.participantId
  }

  get protocolVersion(): number {
    return this.state.protocolVersion
  }

  get synchronizers(): readonly Synchronizer[] {
    return this.state.synchronizers
  }

  get packages(): PackageStore {
    return this.state.packages
  }

  get end(): number {
    return this.state.end
  }

  /** An empty id means the only synchronizer. Undefined if the id is unknown or ambiguous. */
  synchronizer(id: string): Synchronizer | undefined {
    if (id !== '') return this.synchronizers.find((item) => item.id === id)
    return this.synchronizers.length === 1 ? this.synchronizers[0] : undefined
  }

  /** The id with protocol version and serial, as in topology transactions. */
  physicalId({ id }: Synchronizer): string {
    return `${id}::${this.protocolVersion}-0`
  }

  /** The physical id in the format of messages. */
  shownId(synchronizer: Synchronizer): string {
    return shortened(this.physicalId(synchronizer))
  }

  /** `at` in microseconds since 1970. */
  isVetted(packageId: string, { vetting }: Synchronizer, at = this.clock.now()): boolean {
    return vetting.packages.some((item) => item.packageId === packageId && isValidAt(item, at))
  }

  /** Throws `LedgerError`; writes nothing. */
  planUpload(
    uploaded: readonly HeldPackage[],
    { vetting: before }: Synchronizer,
    uploading = false,
  ): { packages: PackageStore; vetting: VettingState } {
    const packages = this.packages.with(uploaded)
    const references = uploaded.map(({ id }) => ({ id, name: '', version: '' }))
    const change: VettingChange = { kind: 'vet', references, from: undefined, until: undefined }
    const after = applyChanges(before.packages, [change], packages)
    const vetting = nextVetting(before, after)
    if (vetting !== before) {
      // Protocol version 35 permits unvetted dependencies (observed).
      if (this.protocolVersion <= 34) refuseUnvettedDependencies(after, packages)
      refuseInvalidUpgrades(before.packages, after, packages, uploading)
    }
    return { packages, vetting }
  }

  /**
   * Vets the packages if a synchronizer is given. On `LedgerError` it stores nothing, but for `KNOWN_PACKAGE_VERSION`
   * it stores all without vetting (observed on 3.5.10).
   */
  upload(uploaded: readonly HeldPackage[], synchronizer: Synchronizer | undefined): void {
    if (!synchronizer) {
      this.state.packages = this.packages.with(uploaded)
      return
    }
    try {
      const { packages, vetting } = this.planUpload(uploaded, synchronizer, true)
      this.state.packages = packages
      synchronizer.vetting = vetting
    } catch (error) {
      if (error instanceof LedgerError && error.details.code === 'KNOWN_PACKAGE_VERSION') {
        this.state.packages = this.packages.with(uploaded)
      }
      throw error
    }
  }

  /** The preferred version, else the newest vetted one; undefined if it is not vetted. */
  resolve(packageName: string, preference: readonly string[] = []): string | undefined {
    const isVetted = (id: string): boolean => this.synchronizers.some((item) => this.isVetted(id, item))
    return packageCandidates(packageName, preference, this.packages, isVetted)[0]?.id
  }

  /** See `packageCandidates`. */
  candidates(
    packageName: string,
    preference: readonly string[],
    synchronizer: Synchronizer,
    at?: bigint,
  ): HeldPackage[] {
    return packageCandidates(packageName, preference, this.packages, (id) => this.isVetted(id, synchronizer, at))
  }

  /** Includes parties that were moved to another participant. */
  get parties(): string[] {
    return [...this.state.parties.keys()].filter((party) => this.knowsParty(party))
  }

  knowsParty(party: string): boolean {
    return (this.state.parties.get(party)?.on.size ?? 0) > 0
  }

  isHosted(party: string, { id }: Synchronizer): boolean {
    return this.state.parties.get(party)?.on.has(id) ?? false
  }

  /** This participant does not store the contracts of such a party. */
  isElsewhere(party: string): boolean {
    return this.state.parties.get(party)?.elsewhere === true
  }

  metadataOf(party: string): ObjectMetadata {
    return this.state.parties.get(party)?.metadata ?? newMetadata
  }

  /** External parties hold their own keys, so the participant cannot submit for them. */
  isExternal(party: string): boolean {
    return this.state.externalParties.has(party)
  }

  /** An incompletely signed topology only creates the metadata of the party (observed on 3.5.10). */
  proposeExternalParty(party: string): void {
    this.state.parties.set(party, { on: new Set(), metadata: this.#metadataOfNext(party) })
  }

  hostExternalParty(topology: PartyTopology, synchronizer: Synchronizer): void {
    this.state.externalParties.set(topology.party, topology)
    this.#host(topology.party, synchronizer, this.#metadataOfNext(topology.party))
  }

  /** Each further allocation raises the version. */
  #metadataOfNext(party: string, first = newMetadata): ObjectMetadata {
    const known = this.state.parties.get(party)?.metadata
    return known ? { ...known, version: known.version + 1 } : first
  }

  /** The party id in the participant's namespace. */
  partyIdOf(hint: string): string {
    return `${hint}::${this.participantId.split('::')[1]}`
  }

  /** Undefined if the party is already hosted there. */
  allocateParty(hint: string, synchronizer: Synchronizer, metadata = newMetadata): string | undefined {
    const party = this.partyIdOf(hint)
    if (this.isHosted(party, synchronizer)) return undefined
    this.#host(party, synchronizer, this.#metadataOfNext(party, metadata))
    return party
  }

  #host(party: string, { id }: Synchronizer, metadata: ObjectMetadata): void {
    const { on } = this.state.parties.get(party) ?? { on: [] }
    this.state.parties.set(party, { on: new Set([...on, id]), metadata })
    this.state.end += 2
  }

  contract(id: string): Contract | undefined {
    const stored = this.state.contracts.get(id)
    return stored && !stored.archivedBy ? stored.contract : undefined
  }

  contractsByKey(template: DamlIdentifier, key: DamlValue): Contract[] {
    return [...this.state.contracts.values()]
      .filter(({ contract, archivedBy }) => !archivedBy && isUnderKey(contract, template, key))
      .map(({ contract }) => contract)
      .reverse()
  }

  /** Includes archived contracts. */
  stored(id: string): Readonly<StoredContract> | undefined {
    return this.state.contracts.get(id)
  }

  /** Undefined if the contract is not active. */
  homeOf(id: string): Synchronizer | undefined {
    const stored = this.state.contracts.get(id)
    return stored && !stored.archivedBy ? this.synchronizer(assignmentOf(stored).synchronizerId) : undefined
  }

  activeAt(offset: number): Readonly<StoredContract>[] {
    return [...this.state.contracts.values()].filter(
      ({ createdBy, archivedBy }) => createdBy.offset <= offset && !(archivedBy && archivedBy.offset <= offset),
    )
  }

  transactionsBetween(beginExclusive: number, endInclusive: number): Transaction[] {
    return [...this.state.transactions.values()].filter(
      ({ offset }) => offset > beginExclusive && offset <= endInclusive,
    )
  }

  /** The accepted transaction with the change id of the submission. Rejected submissions are not recorded, so they never block their change id. */
  acceptedChange(submission: Submission): Transaction | undefined {
    return this.state.acceptedChanges.get(this.decisions.changeId(submission))
  }

  /** An equal change after this offset is a duplicate. */
  #deduplicatedAfter(submission: Submission): number {
    const earlier = this.acceptedChange(submission)
    return earlier ? earlier.offset - 1 : 0
  }

  /** Reassigns contracts of the route first. */
  commit(submission: InterpretedSubmission): Transaction {
    const { identity, interpretation, route, effectiveAt, traceId, externalHash } = submission
    const { shared } = this
    this.#reassign(route)
    // Acknowledgements of the synchronizer use offsets too.
    this.state.end += 3
    const transaction: Transaction = {
      updateId: inOnePiece(`1220${this.entropy.hex(32)}`),
      offset: this.state.end,
      submission: keptSubmission(identity, shared),
      nodes: keptNodes(interpretation.nodes, shared),
      effectiveAt,
      recordTime: this.clock.now(),
      synchronizerId: route.synchronizer.id,
      traceId,
      deduplicatedAfter: this.#deduplicatedAfter(identity),
      ...(externalHash !== undefined && { externalHash }),
    }
    enterTransaction(transaction, this.state)
    this.#complete(transaction)
    this.state.acceptedChanges.set(this.decisions.changeId(identity), transaction)
    return transaction
  }

  /** Records the rejection of an acquired submission. */
  refuse(submission: InterpretedSubmission, verdict: Verdict): void {
    const { identity, route, traceId, externalHash } = submission
    this.state.end += 1
    this.#complete({
      offset: this.state.end,
      submission: identity,
      traceId,
      recordTime: this.clock.now(),
      deduplicatedAfter: this.#deduplicatedAfter(identity),
      synchronizerId: route.synchronizer.id,
      error: verdict instanceof LedgerError ? verdict.details : { redacted: verdict.grpc },
      ...(externalHash !== undefined && { externalHash }),
    })
  }

  #complete(completion: Completion): void {
    this.state.completions.push(completion)
    this.changes.announce()
  }

  #reassign({ synchronizer, reassigned }: Route): void {
    for (const id of reassigned) {
      this.state.end += offsetsOfReassignment
      const stored = this.state.contracts.get(id)
      if (!stored) continue
      stored.reassignments ??= []
      stored.reassignments.push({ synchronizerId: synchronizer.id, offset: this.state.end })
    }
  }
}
