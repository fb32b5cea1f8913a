/** Errors of vetting updates, as observed on the reference participant 3.5.10. */
import { printInstant } from '../../../lib/json/instant.js'
import { LedgerError } from '../../base/errors.js'
import { shortId } from '../../base/strings.js'
import type { HeldPackage, VettedPackage, VettingReference } from './package-store.js'

const refusal = (code: string, category: number, cause: string, context: Record<string, string>): LedgerError =>
  new LedgerError({ origin: 'service', code, category, cause, context })

/** For an empty reference, a serial of 0 or a change without an operation. */
export const undeserializable = (reason: string): LedgerError =>
  refusal('PROTO_DESERIALIZATION_FAILURE', 8, 'Deserialization of protobuf message failed', { reason })

const print = ({ id, name, version }: VettingReference): string => {
  if (id && name && version) return `All(id = ${shortId(id)}, name = ${name}, version = ${version})`
  if (name && version) return `NameAndVersion(name = ${name}, version = ${version})`
  return id ? `package-id: '${id}'` : `package-name: '${name}'`
}

/** `held`: the package with the requested id. */
function whyUnresolved({ id, name, version }: VettingReference, held: HeldPackage | undefined): string {
  if (id === '')
    return version ? `No packages with name ${name} have version ${version}.` : `No packages with name ${name}`
  if (!held) return `No packages with package ID ${id}`
  return `Package with package ID ${id} has name ${held.name} and version ${held.version}, but filter specifies name ${name} and version ${version}`
}

export function unresolvedReference(reference: VettingReference, held: HeldPackage | undefined): LedgerError {
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
    `The package reference ${print(reference)} matches multiple packages: Seq(${ids.map(shortId).join(', ')})`,
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

export function emptyValidity(empty: readonly VettedPackage[]): LedgerError {
  const bound = (name: string, micros: bigint | undefined): string =>
    micros === undefined ? '' : `, ${name} = ${printInstant(micros)}`
  const listed = empty.map(
    ({ packageId, validFrom, validUntil }) =>
      `VettedPackage(packageId = ${shortId(packageId)}${bound('validFromInclusive', validFrom)}${bound('validUntilExclusive', validUntil)})`,
  )
  const description = `packages with empty validity period: ${listed.join(', ')}`
  const cause = `The topology transaction was rejected due to an invalid mapping: ${description}`
  return refusal('TOPOLOGY_INVALID_MAPPING', 8, cause, { description })
}

/** `uploading`: an upload caused the vetting. */
export function invalidUpgrade(
  newer: HeldPackage,
  older: HeldPackage,
  problem: string,
  uploading: boolean,
): LedgerError {
  const name = ({ id, name: packageName, version }: HeldPackage): string => `${id} (${packageName} v${version})`
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

export function knownPackageVersion(a: HeldPackage, b: HeldPackage, uploading: boolean): LedgerError {
  const print = ({ id, name, version }: HeldPackage): string => `${id} (${name} v${version})`
  const [first, second] = [print(a), print(b)].sort()
  return refusal(
    'KNOWN_PACKAGE_VERSION',
    8,
    `Tried to vet two packages with the same name and version: ${first} and ${second}.`,
    { firstPackage: first ?? '', secondPackage: second ?? '', ...(uploading && { action: 'package-vetting' }) },
  )
}
