import type { DamlIdentifier, DamlRecord, DamlValue } from '../../../interface/daml-value.js'

export interface ContractKey {
  value: DamlValue
  maintainers: string[]
}

/** As created; the ledger records whether it is active. */
export interface Contract {
  id: string
  template: DamlIdentifier
  packageName: string
  argument: DamlRecord
  signatories: string[]
  /** Without the signatories. */
  observers: string[]
  key?: ContractKey
  /** Ledger time of the creation, in microseconds. */
  createdAt: bigint
  /** Hex of 32 random bytes that hide the content in the id. */
  salt: string
}

export interface Disclosed {
  contract: Contract
  /** As the submission states it; empty: not stated. */
  synchronizerId: string
  /** Called when a command uses the contract. Throws `LedgerError` if its id does not follow from its content. */
  authenticate?(): void
}

export const stakeholders = ({ signatories, observers }: Pick<Contract, 'signatories' | 'observers'>): string[] => [
  ...signatories,
  ...observers,
]

export const isStakeholder = (contract: Contract, parties: Iterable<string>): boolean => {
  const known = new Set(stakeholders(contract))
  for (const party of parties) if (known.has(party)) return true
  return false
}
