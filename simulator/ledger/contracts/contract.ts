import { sha256 } from '../../../interface/crypto-hash.js'
import type { DamlIdentifier, DamlRecord, DamlValue } from '../../../interface/daml-value.js'
import { bytesField } from '../../../lib/protobuf/protobuf.js'
import { inOnePiece } from '../../base/strings.js'
import { encodeLfValue } from './lf-value.js'

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

/** Suffix version and multihash head, observed with protocol versions 34 and 35. */
const suffixHead = 'ca121220'
const knownSuffixes = /^ca1[0-2]1220[0-9a-f]{64}$/

/** Binds the id to the content, which authenticates disclosed contracts. */
function suffix(discriminator: string, contract: Omit<Contract, 'id'>): string {
  const { packageId, module, entity } = contract.template
  const content = [
    bytesField(1, discriminator),
    bytesField(2, contract.packageName),
    bytesField(3, `${packageId}:${module}:${entity}`),
    bytesField(4, encodeLfValue(contract.argument)),
    ...contract.signatories.map((party) => bytesField(5, party)),
    ...contract.observers.map((party) => bytesField(6, party)),
    bytesField(7, String(contract.createdAt)),
    bytesField(8, Buffer.from(contract.salt, 'hex')),
  ]
  return suffixHead + sha256(Buffer.concat(content)).toString('hex')
}

/** Version 1: `00`, 32 bytes of discriminator, and the suffix. */
export function contractId(discriminator: string, contract: Omit<Contract, 'id'>): string {
  return inOnePiece(`00${discriminator}${suffix(discriminator, contract)}`)
}

export function isAuthentic(contract: Contract): boolean {
  const discriminator = contract.id.slice(2, 66)
  return contract.id === contractId(discriminator, contract)
}

export const isUnsuffixed = (id: string): boolean => id.startsWith('00') && id.length === 66

export const hasKnownSuffix = (id: string): boolean => id.startsWith('00') && knownSuffixes.test(id.slice(66))

/** 32 bytes, opaque to clients, so the simulator has its own definition. */
export const keyHash = (
  { packageName, template }: Pick<Contract, 'packageName' | 'template'>,
  { value }: ContractKey,
): Buffer =>
  sha256(
    Buffer.concat([Buffer.from(JSON.stringify([packageName, template.module, template.entity])), encodeLfValue(value)]),
  )
