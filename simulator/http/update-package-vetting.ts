/** POST /v2/package-vetting/update */

import { grammars, violation } from '../../interface/grammars.js'
import { printInstant } from '../../interface/instant.js'
import type { JsonObject } from '../../interface/json.js'
import { operations } from '../../interface/operations.js'
import { demandAdmin } from '../auth/authorize.js'
import {
  absentable,
  type Decoder,
  emptyCase,
  flag,
  int32,
  list,
  mapped,
  message,
  oneOf,
  optional,
  required,
  text,
  union,
} from '../json/decode.js'
import { instant } from '../json/instant.js'
import type { Ledger } from '../ledger/ledger.js'
import type { Synchronizer } from '../ledger/synchronizer.js'
import type { VettingChange, VettingReference } from '../ledger/vetting.js'
import { serialMismatch, undeserializable } from '../ledger/vetting-errors.js'
import { synchronizerToVetOn } from '../ledger/vetting-synchronizer.js'
import { ok } from './answer.js'
import { endpoint } from './endpoint.js'

type Operation = VettingChange | { kind: 'none' }
type ExpectedSerial = { kind: 'prior'; serial: number } | { kind: 'no-prior' } | { kind: 'any' }

const reference: Decoder<VettingReference> = mapped(
  message({
    packageId: optional(text, ''),
    packageName: optional(text, ''),
    packageVersion: optional(text, ''),
  }),
  ({ packageId, packageName, packageVersion }) => ({ id: packageId, name: packageName, version: packageVersion }),
)

const references = optional(list(reference), [])
const bound = absentable(instant)

const operation: Decoder<Operation> = union<Operation>({
  Vet: mapped(
    message({
      value: required(
        message({ packages: references, newValidFromInclusive: bound, newValidUntilExclusive: bound }, [
          'newValidFromInclusive',
          'newValidUntilExclusive',
        ]),
      ),
    }),
    ({ value }) => ({
      kind: 'vet',
      references: value.packages,
      from: value.newValidFromInclusive,
      until: value.newValidUntilExclusive,
    }),
  ),
  Unvet: mapped(message({ value: required(message({ packages: references })) }), ({ value }) => ({
    kind: 'unvet',
    references: value.packages,
  })),
  Empty: mapped(emptyCase, () => ({ kind: 'none' })),
})

/** Alone among the empty cases this one takes an empty list and null too (as seen on 3.5.10). */
const noPrior: Decoder<ExpectedSerial> = (value, path, problems) =>
  value === null || Array.isArray(value) || emptyCase(value, path, problems) ? { kind: 'no-prior' } : undefined

const serial: Decoder<ExpectedSerial> = union<ExpectedSerial>({
  Prior: mapped(message({ value: optional(int32, 0n) }), ({ value }) => ({ kind: 'prior', serial: Number(value) })),
  NoPrior: noPrior,
  Empty: mapped(emptyCase, () => ({ kind: 'any' })),
})

const flagPrefix = 'UPDATE_VETTED_PACKAGES_FORCE_FLAG_'
const forceFlag = oneOf([
  `${flagPrefix}UNSPECIFIED`,
  `${flagPrefix}ALLOW_VET_INCOMPATIBLE_UPGRADES`,
  `${flagPrefix}ALLOW_UNVETTED_DEPENDENCIES`,
])

const noOperation: Operation = { kind: 'none' }
const anySerial: ExpectedSerial = { kind: 'any' }

const body = message(
  {
    changes: optional(list(message({ operation: optional(operation, noOperation) })), []),
    dryRun: optional(flag, false),
    synchronizerId: optional(text, ''),
    expectedTopologySerial: absentable(message({ serial: optional(serial, anySerial) })),
    updateVettedPackagesForceFlags: optional(list(forceFlag), []),
  },
  ['expectedTopologySerial'],
)

export const updatePackageVetting = endpoint({
  method: 'post',
  path: operations['update-package-vetting'].path,
  body,
  handle: ({ participant: { ledger }, caller, body: request }) => {
    demandAdmin(caller)
    const changes = request.changes.map(({ operation: change }) => checkedChange(change))
    const expected = checkedSerial(request.expectedTopologySerial?.serial)
    checkSynchronizer(request.synchronizerId)
    const synchronizer = synchronizerToVetOn(request.synchronizerId, ledger)
    const flags = request.updateVettedPackagesForceFlags
    const past = view(ledger, synchronizer)
    const planned = ledger.planVetting(
      synchronizer,
      changes,
      {
        uploading: false,
        incompatibleUpgrades: flags.includes(`${flagPrefix}ALLOW_VET_INCOMPATIBLE_UPGRADES`),
        unvettedDependencies: flags.includes(`${flagPrefix}ALLOW_UNVETTED_DEPENDENCIES`),
      },
      () => checkExpected(expected, synchronizer.vetting.serial),
    )
    if (!request.dryRun) synchronizer.vetting = planned
    return ok({ pastVettedPackages: past, newVettedPackages: view(ledger, synchronizer, planned) })
  },
})

/** What protobuf would not have let through. */
function checkedChange(change: Operation): VettingChange {
  if (change.kind === 'none') throw undeserializable('FieldNotSet(operation)')
  for (const { id, name, version } of change.references) {
    const problems: [text: string, problem: string | undefined][] = [
      ['package_id', id === '' ? undefined : violation(grammars.packageId, id)],
      ['package_name', name === '' ? undefined : violation(grammars.packageName, name)],
      ['package_version', version === '' ? undefined : violation(grammars.packageVersion, version)],
    ]
    for (const [field, problem] of problems) {
      if (problem) throw undeserializable(`ValueConversionError(${field},${problem})`)
    }
    const given = [id, name, version].map((part) => part !== '').join()
    if (!['true,false,false', 'false,true,false', 'false,true,true', 'true,true,true'].includes(given)) {
      throw undeserializable(
        'InvariantViolation(Some(package_name),a package id, or a name, or a name and version, or all three must be set)',
      )
    }
  }
  return change
}

function checkedSerial(expected: ExpectedSerial | undefined): ExpectedSerial {
  if (expected?.kind === 'prior' && expected.serial <= 0) {
    throw undeserializable(`InvariantViolation(Some(expected_topology_serial),${expected.serial} is not positive)`)
  }
  return expected ?? anySerial
}

function checkSynchronizer(id: string): void {
  const problem = id === '' ? undefined : violation(grammars.synchronizerId, id)
  if (problem) throw undeserializable(`ValueConversionError(synchronizer_id,${problem})`)
}

function checkExpected(expected: ExpectedSerial, actual: number): void {
  if (expected.kind === 'prior' && expected.serial !== actual) throw serialMismatch(actual, expected.serial)
  if (expected.kind === 'no-prior') throw serialMismatch(actual, undefined)
}

const printBound = (time: bigint | undefined): string | null => (time === undefined ? null : printInstant(time))

/** The vetting state on a synchronizer as the interface shows it; with `wanted`, only those packages. */
export function view(
  ledger: Ledger,
  synchronizer: Synchronizer,
  state = synchronizer.vetting,
  wanted: (packageId: string) => boolean = () => true,
): JsonObject {
  return {
    packages: state.packages
      .filter(({ packageId }) => wanted(packageId))
      .map(({ packageId, validFrom, validUntil }) => ({
        packageId,
        validFromInclusive: printBound(validFrom),
        validUntilExclusive: printBound(validUntil),
        packageName: ledger.packages.get(packageId)?.name ?? '',
        packageVersion: ledger.packages.get(packageId)?.version ?? '',
      })),
    participantId: ledger.participantId,
    synchronizerId: synchronizer.id,
    topologySerial: state.serial,
  }
}
