/** The layout of `createdEventBlob`, read from blobs of the reference participant 3.5.10. */
import type { DamlRecord } from '../../../interface/daml-value.js'
import { ProtobufError } from '../../../lib/protobuf/protobuf.js'
import {
  bytes,
  mapKind,
  message,
  one,
  optional,
  repeated,
  sfixed64,
  string,
  uint64,
} from '../../../lib/protobuf/protobuf-message.js'
import type { PackageStore } from '../packages/package-store.js'
import { type Contract, derivedTerms, keyHash } from './contract.js'
import { decodeLfValue, encodeLfValue, lfVersion } from './lf-value.js'

const hex = mapKind(
  bytes,
  (content) => content.toString('hex'),
  (text: string) => Buffer.from(text, 'hex'),
)

const salted = message({ version: one(1, uint64), salt: one(2, hex) })

const content = message({
  id: one(1, hex),
  packageName: one(2, string),
  template: one(3, message({ packageId: one(1, string), module: repeated(2, string), entity: one(3, string) })),
  argument: one(4, bytes),
  /** The key part lists the maintainers. */
  signatories: repeated(5, string),
  observers: repeated(6, string),
  createdAt: one(7, sfixed64),
  authentication: one(8, message({ data: one(1, message({ salted: one(1, salted) })), version: one(2, uint64) })),
  key: optional(1001, message({ value: one(1, bytes), maintainers: repeated(2, string), hash: one(3, bytes) })),
})

const blob = message({ lfVersion: one(1, string), content: one(2, content) })

const authenticationVersion = 30n

export function encodeBlob(contract: Contract): Buffer {
  const { template, argument, signatories, salt, key } = contract
  return blob.toWire({
    lfVersion: lfVersion(key !== undefined),
    content: {
      ...contract,
      template: { ...template, module: template.module.split('.') },
      argument: encodeLfValue(argument),
      signatories: signatories.filter((party) => !key?.maintainers.includes(party)),
      authentication: { data: { salted: { version: 1n, salt } }, version: authenticationVersion },
      key: key && { ...key, value: encodeLfValue(key.value), hash: keyHash(contract, key) },
    },
  })
}

export class UnknownTemplate extends ProtobufError {
  constructor() {
    super('contract of an unknown template', 0)
  }
}

/** Throws `ProtobufError` for other bytes, `UnknownTemplate` if the packages lack the template. */
export function decodeBlob(given: Buffer, packages: PackageStore): Contract {
  const { id, packageName, observers, createdAt, authentication, ...parts } = blob.fromWire(given, 0).content
  const template = { ...parts.template, module: parts.template.module.join('.') }
  if (id === '' || packageName === '') throw new ProtobufError('incomplete contract', 0)
  if (template.packageId === '' || template.entity === '') throw new ProtobufError('incomplete template id', 0)
  const schema = packages.template(template)
  if (!schema) throw new UnknownTemplate()
  const argument = decodeLfValue(schema.argument, parts.argument) as DamlRecord // the type is a record type
  // Computed, because the blob is not trusted.
  const key = schema.key && derivedTerms(template, argument, packages)?.key
  return {
    id,
    packageName,
    template,
    argument,
    signatories: [...new Set([...parts.signatories, ...(parts.key?.maintainers ?? [])])].sort(),
    observers,
    ...(key && { key }),
    createdAt,
    // Empty for an unknown version, so that no contract id matches.
    salt: authentication.version === authenticationVersion ? authentication.data.salted.salt : '',
  }
}

/** The hash that the creator of the blob computed; undefined without a key. Throws `ProtobufError`. */
export const keyHashIn = (given: Buffer): Buffer | undefined => blob.fromWire(given, 0).content.key?.hash
