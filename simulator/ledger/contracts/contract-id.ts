import { sha256 } from '../../../interface/crypto-hash.js'
import { bytesField } from '../../../lib/protobuf/protobuf.js'
import { inOnePiece } from '../../base/strings.js'
import type { Contract } from './contract.js'
import { encodeLfValue } from './lf-value.js'

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
