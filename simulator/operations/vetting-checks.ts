/** In the order of the reference. */
import { type Grammar, grammars, violation } from '../../interface/grammars.js'
import { isInstant, printInstant } from '../../lib/json/instant.js'
import type { Behaviour } from '../base/behaviour.js'
import { Checks } from '../base/checks.js'
import { invalidArgument, missingField } from '../base/errors.js'
import {
  absentable,
  contentOf,
  type Decoder,
  emptyCase,
  flag,
  int32,
  list,
  mapped,
  message,
  oneOf,
  optional,
  tagged,
  text,
  union,
} from '../json/decode.js'
import { instant } from '../json/times.js'
import type { PackageStore, VettedPackage, VettingReference } from '../ledger/packages/package-store.js'
import {
  refuseInvalidUpgrades,
  refuseUnvettedDependencies,
  type VettingChange,
  type VettingState,
} from '../ledger/packages/vetting.js'
import { serialMismatch, undeserializable } from '../ledger/packages/vetting-errors.js'
import { synchronizerToVetOn } from '../ledger/route/route.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { Synchronizer } from '../ledger/state/ledger-state.js'

interface VettingRequest {
  changes: Operation[] | undefined
  synchronizerId: string
  expectedTopologySerial: { serial: ExpectedSerial } | undefined
  behaviour: Behaviour
}

export const requestChecks = new Checks<VettingRequest>({
  'VET-CHANGES-REQUIRED': ({ changes, behaviour }) => {
    if (changes === undefined && !behaviour.has('vetting-without-changes')) throw missingField('request', 'changes')
  },
  'VET-CHANGES-NOT-EMPTY': ({ changes, behaviour }) => {
    if (changes?.length === 0 && !behaviour.has('vetting-without-changes'))
      throw invalidArgument('request', 'changes must not be empty')
  },
  'VET-CHANGES-TYPE': ({ changes = [] }) => {
    for (const change of changes) {
      if (change.kind === 'none') throw undeserializable('FieldNotSet(operation)')
      if ('references' in change) change.references.forEach(refuseBadReference)
      if (change.kind === 'vet') [change.from, change.until].forEach(refuseBadBound)
    }
  },
  'VET-SERIAL-TYPE': ({ expectedTopologySerial }) => {
    const expected = expectedTopologySerial?.serial
    if (expected?.kind !== 'prior' || expected.serial > 0) return
    const problem = `Received the non-positive ${expected.serial} as argument, but we require a positive value here.`
    throw undeserializable(`InvariantViolation(Some(expected_topology_serial),${problem})`)
  },
  'VET-SYNCHRONIZER-ID': ({ synchronizerId }) =>
    refuseViolation('synchronizer_id', grammars.synchronizerId, synchronizerId),
})

/** Empty: absent. */
function refuseViolation(field: string, grammar: Grammar, text: string): void {
  const problem = text === '' ? undefined : violation(grammar, text)
  if (problem) throw undeserializable(`ValueConversionError(${field},${problem})`)
}

const usableReferences = ['id', 'name', 'name version', 'id name version']

function refuseBadReference({ id, name, version }: VettingReference): void {
  refuseViolation('package_id', grammars.packageId, id)
  refuseViolation('package_name', grammars.packageName, name)
  refuseViolation('package_version', grammars.packageVersion, version)
  const given = [id && 'id', name && 'name', version && 'version'].filter(Boolean).join(' ')
  if (usableReferences.includes(given)) return
  throw undeserializable(
    'InvariantViolation(Some(package_name),Either package_id must be set, or package_name and package_version must be set, or all three must be set.)',
  )
}

function refuseBadBound(bound: bigint | undefined): void {
  if (bound === undefined || isInstant(bound)) return
  throw undeserializable(`TimestampConversionError(cannot convert ${printInstant(bound)} into Timestamp:out of bound)`)
}

/** Drops operations without effect. Throws `LedgerError`. */
export function changesOf(changes: readonly Operation[] = [], behaviour: Behaviour): VettingChange[] {
  if (behaviour.has('refuse-empty-change') && changes.some(({ kind }) => kind === 'empty'))
    throw undeserializable('FieldNotSet(operation)')
  return changes.flatMap((change) => ('references' in change ? [change] : []))
}

const synchronizerChecks = new Checks<{ id: string; ledger: Ledger }>({
  'VET-SYNCHRONIZER-ID': ({ id, ledger }) => {
    if (id !== '') synchronizerToVetOn(id, ledger)
  },
  'VET-SYNCHRONIZER-AMBIGUOUS': ({ id, ledger }) => {
    if (id === '') synchronizerToVetOn(id, ledger)
  },
})

/** Any synchronizer if the check is skipped. Throws `LedgerError`. */
export function synchronizerFor(id: string, ledger: Ledger, without: ReadonlySet<string>): Synchronizer {
  synchronizerChecks.run({ id, ledger }, without)
  return ledger.synchronizer(id) ?? ledger.synchronizers[0] ?? synchronizerToVetOn(id, ledger)
}

interface Guarded {
  expected: ExpectedSerial | undefined
  vetting: VettingState
}

export const serialChecks = new Checks<Guarded>({
  'VET-SERIAL-GUARD': ({ expected, vetting: { serial } }) => {
    if (expected?.kind === 'prior' && expected.serial !== serial) throw serialMismatch(serial, expected.serial)
    if (expected?.kind === 'no-prior') throw serialMismatch(serial, undefined)
  },
})

interface Planned {
  before: readonly VettedPackage[]
  after: readonly VettedPackage[]
  flags: readonly string[]
  packages: PackageStore
  protocolVersion: number
  behaviour: Behaviour
}

/** From this protocol version on, the reference permits unvetted dependencies (observed on 34 and 35). */
const firstWithoutDependencies = 35

export const stateChecks = new Checks<Planned>({
  'VET-DEPENDENCIES': ({ after, flags, packages, protocolVersion, behaviour }) => {
    const unchecked =
      protocolVersion >= firstWithoutDependencies && behaviour.has('unvetted-dependencies-with-newer-protocol')
    if (!unchecked && !flags.includes(unvettedDependencies)) refuseUnvettedDependencies(after, packages)
  },
  'VET-FLAGS-FORCE': ({ before, after, flags, packages }) => {
    if (!flags.includes(incompatibleUpgrades)) refuseInvalidUpgrades(before, after, packages, false)
  },
})

/** `none`: no operation; `empty`: an operation without effect. */
export type Operation = VettingChange | { kind: 'none' | 'empty' }
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

const operation: Decoder<Operation> = union({
  Vet: mapped(
    contentOf(message({ packages: references, newValidFromInclusive: bound, newValidUntilExclusive: bound })),
    (value): Operation => ({
      kind: 'vet',
      references: value.packages,
      from: value.newValidFromInclusive,
      until: value.newValidUntilExclusive,
    }),
  ),
  Unvet: mapped(
    contentOf(message({ packages: references })),
    (value): Operation => ({ kind: 'unvet', references: value.packages }),
  ),
  Empty: tagged('empty', emptyCase),
})

/** Also accepts an empty array and null, but no members (observed on 3.5.10). */
const noPrior: Decoder<ExpectedSerial> = (value, path, problems) => {
  if (value === null || Array.isArray(value)) return { kind: 'no-prior' }
  if (!emptyCase(value, path, problems)) return undefined
  if (Object.keys(value).length === 0) return { kind: 'no-prior' }
  problems.add('expected an object without members', path)
  return undefined
}

const serial: Decoder<ExpectedSerial> = union({
  Prior: mapped(
    message({ value: optional(int32, 0n) }),
    ({ value }): ExpectedSerial => ({ kind: 'prior', serial: Number(value) }),
  ),
  NoPrior: noPrior,
  Empty: tagged('any', emptyCase),
})

const flagPrefix = 'UPDATE_VETTED_PACKAGES_FORCE_FLAG_'
const incompatibleUpgrades = `${flagPrefix}ALLOW_VET_INCOMPATIBLE_UPGRADES`
const unvettedDependencies = `${flagPrefix}ALLOW_UNVETTED_DEPENDENCIES`
const forceFlag = oneOf([`${flagPrefix}UNSPECIFIED`, incompatibleUpgrades, unvettedDependencies])

const noOperation: Operation = { kind: 'none' }
const anySerial: ExpectedSerial = { kind: 'any' }

const changes: Decoder<Operation[] | undefined> = list(
  mapped(message({ operation: optional(operation, noOperation) }), ({ operation: named }) => named),
)

export const vettingBody = message({
  changes: optional(changes, undefined),
  dryRun: optional(flag, false),
  synchronizerId: optional(text, ''),
  expectedTopologySerial: absentable(message({ serial: optional(serial, anySerial) })),
  updateVettedPackagesForceFlags: optional(list(forceFlag), []),
})
