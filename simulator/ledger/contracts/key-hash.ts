import { sha256 } from '../../../interface/crypto-hash.js'
import type { Contract, ContractKey } from './contract.js'
import { encodeLfValue } from './lf-value.js'

/** 32 bytes, opaque to clients, so the simulator has its own definition. */
export const keyHash = (
  { packageName, template }: Pick<Contract, 'packageName' | 'template'>,
  { value }: ContractKey,
): Buffer =>
  sha256(
    Buffer.concat([Buffer.from(JSON.stringify([packageName, template.module, template.entity])), encodeLfValue(value)]),
  )
