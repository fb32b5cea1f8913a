import type { DamlValue } from '../../interface/daml-value.js'
import type { Template } from '../../model/description.js'
import { builtInPackage } from '../../model/packages.js'
import { LedgerError } from '../errors.js'
import type { Clock } from './clock.js'
import type { Completion } from './completion.js'
import type { Contract } from './contract.js'
import { Deduplication } from './deduplication.js'
import type { Entropy } from './entropy.js'
import type { PartyTopology } from './external-party.js'
import { InFlight } from './in-flight.js'
import { type LedgerView, sameValue } from './interpreter.js'
import { PackageStore } from './package-store.js'
import type { InterpretedSubmission, Verdict } from './take-up.js'
import { contractChanges, type Transaction } from './transaction.js'
import { UuidMemory } from './uuid-memory.js'
import {
  applyChanges,
  checkState,
  isValidAt,
  sameVetting,
  type VettedPackage,
  type VettingChange,
  type VettingCircumstances,
} from './vetting.js'

interface LedgerOptions {
  clock: Clock
  entropy: Entropy
  protocolVersion: number
}

interface VettingState {
  packages: readonly VettedPackage[]
  serial: number
}

interface StoredContract {
  contract: Contract
  createdBy: Transaction
  archivedBy?: Transaction
}

/** Everything the participant remembers, and the one way to change it: `commit`. */
export class Ledger implements LedgerView {
  readonly clock: Clock
  readonly entropy: Entropy
  readonly protocolVersion: number
  packages = new PackageStore([builtInPackage])
  readonly deduplication = new Deduplication()
  readonly inFlight = new InFlight()
  readonly uuids = new UuidMemory()
  readonly participantId: string
  readonly synchronizer: { alias: string; id: string }
  readonly #parties = new Set<string>()
  readonly #externalParties = new Map<string, PartyTopology>()
  readonly #contracts = new Map<string, StoredContract>()
  readonly #transactions: Transaction[] = []
  readonly #completions: Completion[] = []
  readonly #byUpdateId = new Map<string, Transaction>()
  /** What is vetted on the synchronizer, with the serial of the topology transaction that says so. */
  vetting: VettingState = { packages: [{ packageId: builtInPackage.id }], serial: 1 }
  #end = 0

  constructor({ clock, entropy, protocolVersion }: LedgerOptions) {
    this.clock = clock
    this.entropy = entropy
    this.protocolVersion = protocolVersion
    this.participantId = `sandbox::1220${entropy.hex(32)}`
    this.synchronizer = { alias: 'synchronizer-1', id: `synchronizer-1::1220${entropy.hex(32)}` }
    // Becoming a participant takes a few topology transactions; offsets never start at 0.
    this.#end = 6
  }

  get end(): number {
    return this.#end
  }

  /** The synchronizer id with protocol version and serial, as the topology names it. */
  get physicalSynchronizerId(): string {
    return `${this.synchronizer.id}::${this.protocolVersion}-0`
  }

  isVetted(packageId: string): boolean {
    const now = this.clock.now()
    return this.vetting.packages.some((item) => item.packageId === packageId && isValidAt(item, now))
  }

  /**
   * The vetting state that the changes would lead to; its serial rises only if something changes. `checkSerial` is called
   * once the references are known to be right. Throws `LedgerError`; writes nothing.
   */
  planVetting(
    changes: readonly VettingChange[],
    circumstances: VettingCircumstances,
    checkSerial: () => void,
    packages = this.packages,
  ): VettingState {
    const after = applyChanges(this.vetting.packages, changes, packages)
    checkSerial()
    if (sameVetting(after, this.vetting.packages)) return this.vetting
    checkState(after, packages, circumstances, this.protocolVersion)
    return { packages: after, serial: this.vetting.serial + 1 }
  }

  /** What an upload that vets would lead to. Throws `LedgerError`; writes nothing. */
  planUpload(ids: readonly string[]): { packages: PackageStore; vetting: VettingState } {
    const packages = this.packages.with(ids)
    const references = ids.map((id) => ({ id, name: '', version: '' }))
    const change: VettingChange = { kind: 'vet', references, from: undefined, until: undefined }
    const circumstances = { uploading: true, incompatibleUpgrades: false, unvettedDependencies: false }
    return { packages, vetting: this.planVetting([change], circumstances, () => undefined, packages) }
  }

  /** Takes packages and vets them, if asked to. Throws `LedgerError`, and then takes nothing. */
  upload(ids: readonly string[], vet: boolean): void {
    const { packages, vetting } = vet
      ? this.planUpload(ids)
      : { packages: this.packages.with(ids), vetting: this.vetting }
    this.packages = packages
    this.vetting = vetting
  }

  knowsParty(party: string): boolean {
    return this.#parties.has(party) || this.#externalParties.has(party)
  }

  /** Whether the party holds its own keys, so that this participant cannot submit for it. */
  isExternal(party: string): boolean {
    return this.#externalParties.has(party)
  }

  /** What an external party has to sign with; undefined where the participant hosts none of that name. */
  topologyOf(party: string): Readonly<PartyTopology> | undefined {
    return this.#externalParties.get(party)
  }

  hostExternalParty(topology: PartyTopology): void {
    this.#externalParties.set(topology.party, topology)
    this.#end += 2
  }

  /** Hosts a party `hint::namespace of the participant`; undefined when it exists. */
  allocateParty(hint: string): string | undefined {
    const party = `${hint}::${this.participantId.split('::')[1]}`
    if (this.#parties.has(party)) return undefined
    this.#parties.add(party)
    this.#end += 2
    return party
  }

  contract(id: string): Contract | undefined {
    const stored = this.#contracts.get(id)
    return stored && !stored.archivedBy ? stored.contract : undefined
  }

  contractsByKey(template: Template, key: DamlValue): Contract[] {
    const named = ({ contract, archivedBy }: StoredContract): boolean =>
      !archivedBy &&
      contract.key !== undefined &&
      contract.template.module === template.id.module &&
      contract.template.entity === template.id.entity &&
      sameValue(contract.key.value, key)
    return [...this.#contracts.values()]
      .filter(named)
      .map(({ contract }) => contract)
      .reverse()
  }

  /** A contract that this participant has seen, active or archived, with the transactions that made it so. */
  stored(id: string): Readonly<StoredContract> | undefined {
    return this.#contracts.get(id)
  }

  activeAt(offset: number): Readonly<StoredContract>[] {
    return [...this.#contracts.values()].filter(
      ({ createdBy, archivedBy }) => createdBy.offset <= offset && !(archivedBy && archivedBy.offset <= offset),
    )
  }

  transaction(updateId: string): Transaction | undefined {
    return this.#byUpdateId.get(updateId)
  }

  transactionsBetween(beginExclusive: number, endInclusive: number): Transaction[] {
    return this.#transactions.filter(({ offset }) => offset > beginExclusive && offset <= endInclusive)
  }

  /** Completions of submissions after the offset, in order. */
  completionsAfter(beginExclusive: number): Completion[] {
    return this.#completions.filter(({ offset }) => offset > beginExclusive)
  }

  /** Writes an interpreted submission as one transaction. */
  commit(submission: InterpretedSubmission): Transaction {
    const { identity, interpretation, effectiveAt, traceId, externalHash } = submission
    // Acknowledgements of the synchronizer take offsets too, which is why they jump.
    this.#end += 3
    const transaction: Transaction = {
      updateId: `1220${this.entropy.hex(32)}`,
      offset: this.#end,
      submission: identity,
      nodes: interpretation.nodes,
      effectiveAt,
      recordTime: this.clock.now(),
      synchronizerId: this.synchronizer.id,
      traceId,
      ...(externalHash !== undefined && { externalHash }),
    }
    const { created, archived } = contractChanges(interpretation.nodes)
    for (const contract of created.values()) this.#contracts.set(contract.id, { contract, createdBy: transaction })
    for (const id of archived) {
      const stored = this.#contracts.get(id)
      if (stored) stored.archivedBy = transaction
    }
    this.#transactions.push(transaction)
    this.#byUpdateId.set(transaction.updateId, transaction)
    this.#complete(submission, transaction.recordTime, { kind: 'accepted', updateId: transaction.updateId })
    this.deduplication.accept(identity, transaction.offset, transaction.recordTime)
    return transaction
  }

  /** Notes that a submission which was taken up came to nothing. */
  refuse(submission: InterpretedSubmission, verdict: Verdict): void {
    this.#end += 1
    const error = verdict instanceof LedgerError ? verdict.details : { redacted: verdict.grpc }
    this.#complete(submission, this.clock.now(), { kind: 'refused', error })
  }

  #complete({ identity, traceId }: InterpretedSubmission, recordTime: bigint, outcome: Completion['outcome']): void {
    const deduplicatedAfter = this.deduplication.offsetBefore(identity)
    const { id: synchronizerId } = this.synchronizer
    const shared = { offset: this.#end, submission: identity, traceId, recordTime, deduplicatedAfter, synchronizerId }
    this.#completions.push({ ...shared, outcome })
  }
}
