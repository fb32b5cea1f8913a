import { sha256 } from '../../../lib/sha256.js'
import type { Contract, ContractKey } from './contract.js'
import { encodeLfValue } from './lf-value.js'

/** The hash of a contract's key, 32 bytes. It is opaque to clients: this one follows from package name, template name and value. */
export const keyHash = (
  { packageName, template }: Pick<Contract, 'packageName' | 'template'>,
  { value }: ContractKey,
): Buffer =>
  sha256(
    Buffer.concat([Buffer.from(JSON.stringify([packageName, template.module, template.entity])), encodeLfValue(value)]),
  )
