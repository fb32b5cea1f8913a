import type { DamlIdentifier, DamlRecord, DamlValue } from '../../../interface/daml-value.js'

export interface ContractKey {
  value: DamlValue
  maintainers: string[]
}

/** A contract as it was created. Whether it is still active is the ledger's knowledge, not the contract's. */
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
  /** Hex of 32 random bytes that go into the id, so that it does not give away what the contract holds. */
  salt: string
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
