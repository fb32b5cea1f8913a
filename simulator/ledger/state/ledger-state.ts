import type { ObjectMetadata } from '../../base/object-metadata.js'
import { builtInPackage, PackageStore } from '../packages/package-store.js'
import type { VettingState } from '../packages/vetting.js'
import { type Completion, contractChanges, type StoredContract, type Transaction } from '../transactions/transaction.js'
import type { Entropy } from './entropy.js'
import type { PartyTopology } from './external-party.js'

/** All state of a ledger: snapshots contain nothing else. Plain values only, which may share references. */
export interface LedgerState {
  readonly participantId: string
  readonly protocolVersion: number
  /** In order of connection. */
  readonly synchronizers: readonly Synchronizer[]
  packages: PackageStore
  readonly parties: Map<string, KnownParty>
  readonly externalParties: Map<string, PartyTopology>
  readonly contracts: Map<string, StoredContract>
  /** By update id, in order of offsets. */
  readonly transactions: Map<string, Transaction>
  readonly completions: Completion[]
  /** By change id. */
  readonly acceptedChanges: Map<string, Transaction>
  /** Expiry of each reservation, in microseconds since 1970. */
  readonly takenUuids: Map<string, bigint>
  /** `readAs` parties by transaction UUID. */
  readonly preparedReaders: Map<string, readonly string[]>
  end: number
}

interface KnownParty {
  /** Synchronizer ids; empty: only proposed. */
  on: Set<string>
  /** Only another participant hosts the party. */
  elsewhere?: true
  /** The version also counts allocations after the first. */
  metadata: ObjectMetadata
}

interface LedgerBeginning {
  protocolVersion: number
  synchronizers: number
}

/** Offsets of topology transactions. */
const offsetsOfConnecting = 6

export function enterTransaction(transaction: Transaction, { contracts, transactions }: LedgerState): void {
  const { created, archived } = contractChanges(transaction.nodes)
  for (const contract of created.values()) contracts.set(contract.id, { contract, createdBy: transaction })
  for (const id of archived) {
    const stored = contracts.get(id)
    if (stored) stored.archivedBy = transaction
  }
  transactions.set(transaction.updateId, transaction)
}

export function firstState({ protocolVersion, synchronizers }: LedgerBeginning, entropy: Entropy): LedgerState {
  return {
    participantId: `sandbox::1220${entropy.hex(32)}`,
    protocolVersion,
    synchronizers: Array.from({ length: synchronizers }, (_, index) => ({
      alias: `synchronizer-${index + 1}`,
      id: `synchronizer-${index + 1}::1220${entropy.hex(32)}`,
      // Participants vet the built-in package when they connect.
      vetting: { packages: [{ packageId: builtInPackage.id }], serial: 1 },
    })),
    packages: new PackageStore([builtInPackage]),
    parties: new Map(),
    externalParties: new Map(),
    contracts: new Map(),
    transactions: new Map(),
    completions: [],
    acceptedChanges: new Map(),
    takenUuids: new Map(),
    preparedReaders: new Map(),
    end: offsetsOfConnecting * synchronizers,
  }
}

export interface Synchronizer {
  alias: string
  id: string
  vetting: VettingState
}

export interface Route {
  synchronizer: Synchronizer
  /** Ids of contracts to reassign first. */
  reassigned: string[]
}

/** In order of ids: priorities are equal on the reference participant 3.5.10. */
export const preferredFirst = (synchronizers: readonly Synchronizer[]): Synchronizer[] =>
  synchronizers.toSorted((a, b) => (a.id < b.id ? -1 : 1))
