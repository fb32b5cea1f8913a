/** The refusals of a vetting update, filled as the reference participant 3.5.10 was seen to do. */
import { LedgerError } from '../base/errors.js'
import type { HeldPackage } from './held-package.js'
import type { VettingReference } from './vetting-reference.js'

const refusal = (code: string, category: number, cause: string, context: Record<string, string>): LedgerError =>
  new LedgerError({ origin: 'service', code, category, cause, context, definite: 'unsaid' })

/** The request is no protobuf message that can be: an empty reference, a serial of 0, a change without operation. */
export const undeserializable = (reason: string): LedgerError =>
  refusal('PROTO_DESERIALIZATION_FAILURE', 8, 'Deserialization of protobuf message failed', { reason })

const print = ({ id, name, version }: VettingReference): string =>
  [id && `id = ${id}`, name && `name = ${name}`, version && `version = ${version}`].filter(Boolean).join(', ')

export const unresolvedReference = (reference: VettingReference): LedgerError =>
  refusal(
    'UNRESOLVED_VETTING_REFERENCE',
    11,
    `The vetted package reference ${print(reference)} does not match any package in the package store.`,
    { reference: print(reference), reason: 'No package in the store matches it' },
  )

export const ambiguousReference = (reference: VettingReference, ids: readonly string[]): LedgerError =>
  refusal(
    'AMBIGUOUS_VETTING_REFERENCE',
    9,
    `The package reference ${print(reference)} matches multiple packages: ${ids.join(', ')}`,
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

/** Two packages with one name and version, of which only one can be vetted. */
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
