/** The layout of `createdEventBlob`, read from blobs of the reference participant 3.5.10. */
import { EvaluationFailure } from '../../../daml/machine/failures.js'
import { TranslationError } from '../../../daml/schema/conversion.js'
import type { DamlIdentifier, DamlRecord } from '../../../interface/daml-value.js'
import { bytesField, fixed64Field, ProtobufError, readMessage, varintField } from '../../../lib/protobuf/protobuf.js'
import type { PackageStore } from '../packages/package-store.js'
import { type Contract, type ContractKey, keyHash, termsOf } from './contract.js'
import { decodeLfValue, encodeLfValue, lfVersion } from './lf-value.js'

const keyNumber = 1001

export function encodeBlob(contract: Contract): Buffer {
  const template = Buffer.concat([
    bytesField(1, contract.template.packageId),
    ...contract.template.module.split('.').map((part) => bytesField(2, part)),
    bytesField(3, contract.template.entity),
  ])
  const content = Buffer.concat([
    bytesField(1, Buffer.from(contract.id, 'hex')),
    bytesField(2, contract.packageName),
    bytesField(3, template),
    bytesField(4, encodeLfValue(contract.argument)),
    ...withoutMaintainers(contract).map((party) => bytesField(5, party)),
    ...contract.observers.map((party) => bytesField(6, party)),
    fixed64Field(7, contract.createdAt),
    bytesField(8, authenticationData(Buffer.from(contract.salt, 'hex'))),
    ...(contract.key ? [bytesField(keyNumber, keyPart(contract, contract.key))] : []),
  ])
  return Buffer.concat([bytesField(1, lfVersion(contract.key !== undefined)), bytesField(2, content)])
}

/** The key part lists the maintainers. */
const withoutMaintainers = ({ signatories, key }: Contract): string[] =>
  signatories.filter((party) => !key?.maintainers.includes(party))

const keyPart = (contract: Contract, key: ContractKey): Buffer =>
  Buffer.concat([
    bytesField(1, encodeLfValue(key.value)),
    ...key.maintainers.map((party) => bytesField(2, party)),
    bytesField(3, keyHash(contract, key)),
  ])

const authenticationVersion = 30n

function authenticationData(salt: Buffer): Buffer {
  const salted = Buffer.concat([varintField(1, 1n), bytesField(2, salt)])
  return Buffer.concat([bytesField(1, bytesField(1, salted)), varintField(2, authenticationVersion)])
}

/** Empty for an unknown version, so that no contract id matches. */
function saltIn(data: Buffer): Buffer {
  const version = readMessage(data).find(({ number }) => number === 2)
  return version?.value === authenticationVersion ? single(single(single(data, 1), 1), 2) : Buffer.alloc(0)
}

export class UnknownTemplate extends ProtobufError {
  constructor() {
    super('contract of an unknown template', 0)
  }
}

/** Throws `ProtobufError` for other bytes, `UnknownTemplate` if the packages lack the template. */
export function decodeBlob(blob: Buffer, packages: PackageStore): Contract {
  const content = single(blob, 2)
  const template = identifier(single(content, 3))
  const schema = packages.template(template)
  if (!schema) throw new UnknownTemplate()
  const argument = decodeLfValue(schema.argument, single(content, 4)) as DamlRecord // the type is a record type
  const key = schema.key && keyOf(template, argument, packages)
  return {
    id: single(content, 1).toString('hex'),
    packageName: single(content, 2).toString('utf8'),
    template,
    argument,
    signatories: [
      ...new Set([...texts(content, 5), ...all(content, keyNumber).flatMap((part) => texts(part, 2))]),
    ].sort(),
    observers: texts(content, 6),
    ...(key && { key }),
    createdAt: createdAt(content),
    salt: saltIn(single(content, 8)).toString('hex'),
  }
}

/** The hash that the creator of the blob computed; undefined without a key. Throws `ProtobufError`. */
export function keyHashIn(blob: Buffer): Buffer | undefined {
  const [key] = all(single(blob, 2), keyNumber)
  return key && single(key, 3)
}

/** Computed, because the blob is not trusted. Undefined for an invalid argument. */
function keyOf(template: DamlIdentifier, argument: DamlRecord, packages: PackageStore): ContractKey | undefined {
  try {
    return termsOf(template, argument, packages).key
  } catch (error) {
    if (error instanceof EvaluationFailure || error instanceof TranslationError) return undefined
    throw error
  }
}

const all = (message: Buffer, number: number): Buffer[] =>
  readMessage(message).flatMap((field) => (field.number === number && field.wire === 'bytes' ? [field.value] : []))

const texts = (message: Buffer, number: number): string[] => all(message, number).map((bytes) => bytes.toString('utf8'))

function single(message: Buffer, number: number): Buffer {
  const [found] = all(message, number)
  if (!found) throw new ProtobufError(`field ${number} is missing`, 0)
  return found
}

function identifier(message: Buffer): DamlIdentifier {
  const [packageId] = texts(message, 1)
  const [entity] = texts(message, 3)
  if (!packageId || !entity) throw new ProtobufError('incomplete template id', 0)
  return { packageId, module: texts(message, 2).join('.'), entity }
}

function createdAt(message: Buffer): bigint {
  const found = readMessage(message).find(({ number }) => number === 7)
  if (found?.wire !== 'fixed64') throw new ProtobufError('no creation time', 0)
  return BigInt.asIntN(64, found.value)
}
