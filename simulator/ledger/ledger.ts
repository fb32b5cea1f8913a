import type { DamlValue } from '../../interface/daml-value.js'
import type { Template } from '../../model/description.js'
import type { Clock } from './clock.js'
import type { Contract } from './contract.js'
import { Deduplication } from './deduplication.js'
import type { Entropy } from './entropy.js'
import type { PartyTopology } from './external-party.js'
import { type LedgerView, sameValue } from './interpreter.js'
import { PackageStore } from './package-store.js'
import { contractChanges, type Interpretation, type Submission, type Transaction } from './transaction.js'

interface LedgerOptions {
  clock: Clock
  entropy: Entropy
  protocolVersion: number
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
  readonly packages = new PackageStore()
  readonly deduplication = new Deduplication()
  readonly participantId: string
  readonly synchronizer: { alias: string; id: string }
  readonly #parties = new Set<string>()
  readonly #externalParties = new Map<string, PartyTopology>()
  readonly #contracts = new Map<string, StoredContract>()
  readonly #transactions: Transaction[] = []
  readonly #byUpdateId = new Map<string, Transaction>()
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

  knowsParty(party: string): boolean {
    return this.#parties.has(party) || this.#externalParties.has(party)
  }

  /** Whether the party holds its own keys, so that this participant cannot submit for it. */
  isExternal(party: string): boolean {
    return this.#externalParties.has(party)
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

  /** Writes an interpreted submission as one transaction. */
  commit(submission: Submission, interpretation: Interpretation, effectiveAt: bigint, traceId: string): Transaction {
    // Acknowledgements of the synchronizer take offsets too, which is why they jump.
    this.#end += 3
    const transaction: Transaction = {
      updateId: `1220${this.entropy.hex(32)}`,
      offset: this.#end,
      submission,
      nodes: interpretation.nodes,
      effectiveAt,
      recordTime: this.clock.now(),
      synchronizerId: this.synchronizer.id,
      traceId,
    }
    const { created, archived } = contractChanges(interpretation.nodes)
    for (const contract of created.values()) this.#contracts.set(contract.id, { contract, createdBy: transaction })
    for (const id of archived) {
      const stored = this.#contracts.get(id)
      if (stored) stored.archivedBy = transaction
    }
    this.#transactions.push(transaction)
    this.#byUpdateId.set(transaction.updateId, transaction)
    this.deduplication.accept(submission, transaction.offset, transaction.recordTime)
    return transaction
  }
}
