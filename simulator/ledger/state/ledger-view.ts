import type { DamlIdentifier, DamlValue } from '../../../interface/daml-value.js'
import type { Contract } from '../contracts/contract.js'
import type { PackageStore } from '../packages/package-store.js'
import type { Decisions } from './decisions.js'

/** What the interpreter may ask of the ledger. */
export interface LedgerView {
  packages: PackageStore
  protocolVersion: number
  /** An active contract, or one that was disclosed. */
  contract(id: string): Contract | undefined
  /** Active contracts of a template name with that key, the latest first; then disclosed ones. */
  contractsByKey(template: DamlIdentifier, key: DamlValue): Contract[]
  /** Whether a submission may use a contract that was neither created in it nor disclosed to it. */
  isVisible: Decisions['isVisible']
  /** The version of a package by that name as which contracts are seen by their interfaces; undefined: none is usable. */
  resolve(packageName: string): string | undefined
}

export interface Actors {
  actAs: readonly string[]
  readAs: readonly string[]
  /** Ids of contracts that the submission discloses: visible to it whoever has a stake in them. */
  disclosed: ReadonlySet<string>
}

/** Whether the contract is of the template, in whatever version of its package, and has that key. */
export const isUnderKey = (contract: Contract, { module, entity }: DamlIdentifier, key: DamlValue): boolean =>
  contract.key !== undefined &&
  contract.template.module === module &&
  contract.template.entity === entity &&
  sameValue(contract.key.value, key)

/** Equality of Daml values of one type, in whatever versions of their packages. */
export function sameValue(a: DamlValue, b: DamlValue): boolean {
  const print = (value: DamlValue): string =>
    JSON.stringify(value, (name, item: unknown) =>
      name === 'packageId' ? undefined : typeof item === 'bigint' ? `${item}n` : item,
    )
  return print(a) === print(b)
}
