import type { DamlIdentifier, DamlValue } from '../../../interface/daml-value.js'
import { type Contract, isStakeholder } from '../contracts/contract.js'
import type { PackageStore } from '../packages/package-store.js'
import type { Submission } from '../transactions/transaction.js'
import { changeId } from './deduplication.js'

export interface LedgerView {
  packages: PackageStore
  protocolVersion: number
  contract(id: string): Contract | undefined
  /** Active ones newest first. */
  contractsByKey(template: DamlIdentifier, key: DamlValue): Contract[]
  isVisible: Decisions['isVisible']
  /** The package version through which interfaces read contracts; undefined: none is usable. */
  resolve(packageName: string): string | undefined
}

export interface Actors {
  actAs: readonly string[]
  readAs: readonly string[]
  /** Ids of disclosed contracts, which are visible without a stake. */
  disclosed: ReadonlySet<string>
}

/** Ignores the version of the package. */
export const isUnderKey = (contract: Contract, { module, entity }: DamlIdentifier, key: DamlValue): boolean =>
  contract.key !== undefined &&
  contract.template.module === module &&
  contract.template.entity === entity &&
  sameValue(contract.key.value, key)

/** Ignores the versions of packages. */
export function sameValue(a: DamlValue, b: DamlValue): boolean {
  const print = (value: DamlValue): string =>
    JSON.stringify(value, (name, item: unknown) =>
      name === 'packageId' ? undefined : typeof item === 'bigint' ? `${item}n` : item,
    )
  return print(a) === print(b)
}

/** Replaceable decisions of a ledger; the defaults follow the interface text. */
export interface Decisions {
  /** Equal ids mean equal changes. */
  changeId(submission: Submission): string
  /** For contracts that the submission neither creates nor discloses. */
  isVisible(contract: Contract, actAs: readonly string[], readAs: readonly string[]): boolean
}

export const usualDecisions: Decisions = {
  changeId,
  isVisible: (contract, actAs, readAs) => isStakeholder(contract, [...actAs, ...readAs]),
}
