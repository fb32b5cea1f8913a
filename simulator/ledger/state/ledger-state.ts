import { builtInPackage } from '../packages/built-in-packages.js'
import { PackageStore } from '../packages/package-store.js'
import type { Completion } from '../transactions/completion.js'
import type { StoredContract } from '../transactions/stored-contract.js'
import { contractChanges, type Transaction } from '../transactions/transaction.js'
import type { AcceptedChange } from './deduplication.js'
import type { Entropy } from './entropy.js'
import type { PartyTopology } from './external-party.js'
import type { Synchronizer } from './synchronizer.js'

/**
 * Everything that a ledger remembers. What is here is part of every snapshot; what a ledger kept anywhere else would be lost.
 * Plain values only, in any number of places: they are saved as the graph that they are.
 */
export interface LedgerState {
  readonly participantId: string
  readonly protocolVersion: number
  /** In the order in which the participant was connected to them. */
  readonly synchronizers: readonly Synchronizer[]
  packages: PackageStore
  readonly parties: Map<string, KnownParty>
  readonly externalParties: Map<string, PartyTopology>
  readonly contracts: Map<string, StoredContract>
  /** By update id, in the order of their offsets. */
  readonly transactions: Map<string, Transaction>
  readonly completions: Completion[]
  /** By change id. */
  readonly acceptedChanges: Map<string, AcceptedChange>
  /** Until when each UUID of a transaction is taken, in microseconds since 1970. */
  readonly takenUuids: Map<string, bigint>
  /** By the UUID of the transaction: whom it was prepared to read as. */
  readonly preparedReaders: Map<string, readonly string[]>
  end: number
}

interface KnownParty {
  /** Ids of the synchronizers on which it is hosted. */
  on: Set<string>
  /** Another participant hosts it, and this one does not. */
  elsewhere?: true
  /** How often its record was changed after it was made. */
  version: number
}

export interface LedgerBeginning {
  protocolVersion: number
  /** How many synchronizers the participant is connected to. */
  synchronizers: number
}

/** Offsets that connecting takes: becoming a participant of a synchronizer needs a few topology transactions. */
const offsetsOfConnecting = 6

/** What a transaction makes of the contracts. */
export function enterTransaction(transaction: Transaction, { contracts, transactions }: LedgerState): void {
  const { created, archived } = contractChanges(transaction.nodes)
  for (const contract of created.values()) contracts.set(contract.id, { contract, createdBy: transaction })
  for (const id of archived) {
    const stored = contracts.get(id)
    if (stored) stored.archivedBy = transaction
  }
  transactions.set(transaction.updateId, transaction)
}

/** The state of a participant that has just been connected. */
export function firstState({ protocolVersion, synchronizers }: LedgerBeginning, entropy: Entropy): LedgerState {
  return {
    participantId: `sandbox::1220${entropy.hex(32)}`,
    protocolVersion,
    synchronizers: Array.from({ length: synchronizers }, (_, index) => ({
      alias: `synchronizer-${index + 1}`,
      id: `synchronizer-${index + 1}::1220${entropy.hex(32)}`,
      // The built-in package is vetted when a participant connects.
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
