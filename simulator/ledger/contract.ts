import type { DamlIdentifier, DamlRecord } from '../../interface/daml-value.js'
import type { Template } from '../../model/description.js'

export interface ContractKey {
  value: DamlRecord
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
  /** 32 random bytes that go into the id, so that it does not give away what the contract holds. */
  salt: Buffer
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

/** Who has a stake in a contract of this template with this argument; each list sorted and without repetition. */
export function parties(template: Template, argument: DamlRecord): Pick<Contract, 'signatories' | 'observers'> {
  const signatories = [...new Set(template.signatories(argument))].sort()
  const observers = [...new Set(template.observers(argument))].filter((party) => !signatories.includes(party)).sort()
  return { signatories, observers }
}
