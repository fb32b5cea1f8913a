/** The refusals of a vetting update, filled as the reference participant 3.5.10 was seen to do. */
import type { DamlPackage } from '../../model/description.js'
import { LedgerError } from '../base/errors.js'
import type { VettingReference } from './vetting-reference.js'

const refusal = (code: string, category: number, cause: string, context: Record<string, string>): LedgerError =>
  new LedgerError({ origin: 'service', code, category, cause, context, definite: 'unsaid' })

/** The request is no protobuf message that can be: an empty reference, a serial of 0, a change without operation. */
export const undeserializable = (reason: string): LedgerError =>
  refusal('PROTO_DESERIALIZATION_FAILURE', 8, 'Deserialization of protobuf message failed', { reason })

const short = (packageId: string): string => `${packageId.slice(0, 12)}...`

const print = ({ id, name, version }: VettingReference): string => {
  if (id && name && version) return `All(id = ${short(id)}, name = ${name}, version = ${version})`
  if (name && version) return `NameAndVersion(name = ${name}, version = ${version})`
  return id ? `package-id: '${id}'` : `package-name: '${name}'`
}

/** `held`: the package of the id that is named, if there is one. */
function whyUnresolved({ id, name, version }: VettingReference, held: DamlPackage | undefined): string {
  if (id === '')
    return version ? `No packages with name ${name} have version ${version}.` : `No packages with name ${name}`
  if (!held) return `No packages with package ID ${id}`
  return `Package with package ID ${id} has name ${held.name} and version ${held.version}, but filter specifies name ${name} and version ${version}`
}

export function unresolvedReference(reference: VettingReference, held: DamlPackage | undefined): LedgerError {
  const reason = whyUnresolved(reference, held)
  return refusal(
    'UNRESOLVED_VETTING_REFERENCE',
    11,
    `The vetted package reference ${print(reference)} does not match any package in the package store. Reason: ${reason}`,
    { reference: print(reference), reason },
  )
}

export const ambiguousReference = (reference: VettingReference, ids: readonly string[]): LedgerError =>
  refusal(
    'AMBIGUOUS_VETTING_REFERENCE',
    9,
    `The package reference ${print(reference)} matches multiple packages: Seq(${ids.map(short).join(', ')})`,
    { reference: print(reference), matchingPackages: `Set(${ids.join(', ')})` },
  )

const option = (serial: number | undefined): string => (serial === undefined ? 'None' : `Some(${serial})`)

export const serialMismatch = (actual: number | undefined, expected: number | undefined): LedgerError =>
  refusal(
    'TOPOLOGY_SERIAL_MISMATCH',
    9,
    `The provided serial ${option(actual)} did not match the expected serial ${option(expected)}.`,
    { actual: option(actual), expected: option(expected) },
  )

export const dependenciesNotVetted = (ids: readonly string[]): LedgerError =>
  refusal('TOPOLOGY_DEPENDENCIES_NOT_VETTED', 9, 'Package vetting failed due to dependencies not being vetted', {
    unvetted: `Set(${ids.join(', ')})`,
  })

export const invalidMapping = (problem: string): LedgerError =>
  refusal(
    'TOPOLOGY_INVALID_MAPPING',
    8,
    `The topology transaction was rejected due to an invalid mapping: ${problem}`,
    {},
  )

/** `uploading`: the vetting is a part of an upload. */
export function invalidUpgrade(
  newer: DamlPackage,
  older: DamlPackage,
  problem: string,
  uploading: boolean,
): LedgerError {
  const name = ({ id, name: packageName, version }: DamlPackage): string => `${id} (${packageName} v${version})`
  return refusal(
    'NOT_VALID_UPGRADE_PACKAGE',
    8,
    `Upgrade checks indicate that ${name(newer)} cannot be an upgrade of ${name(older)}. Reason: ${problem}`,
    {
      newPackage: name(newer),
      oldPackage: name(older),
      upgradeError: problem,
      ...(uploading && { action: 'package-vetting' }),
    },
  )
}
