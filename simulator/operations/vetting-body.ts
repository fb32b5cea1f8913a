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
import type { VettingReference } from '../ledger/packages/package-store.js'
import type { VettingChange } from '../ledger/packages/vetting.js'

/** `none`: no operation; `empty`: an operation without effect. */
export type Operation = VettingChange | { kind: 'none' | 'empty' }
export type ExpectedSerial = { kind: 'prior'; serial: number } | { kind: 'no-prior' } | { kind: 'any' }

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
  Empty: mapped(emptyCase, () => ({ kind: 'empty' })),
})

/** Also accepts an empty array and null, but no members (observed on 3.5.10). */
const noPrior: Decoder<ExpectedSerial> = (value, path, problems) => {
  if (value === null || Array.isArray(value)) return { kind: 'no-prior' }
  if (!emptyCase(value, path, problems)) return undefined
  if (Object.keys(value).length === 0) return { kind: 'no-prior' }
  problems.add('expected an object without members', path)
  return undefined
}

const serial: Decoder<ExpectedSerial> = union<ExpectedSerial>({
  Prior: mapped(message({ value: optional(int32, 0n) }), ({ value }) => ({ kind: 'prior', serial: Number(value) })),
  NoPrior: noPrior,
  Empty: mapped(emptyCase, () => ({ kind: 'any' })),
})

const flagPrefix = 'UPDATE_VETTED_PACKAGES_FORCE_FLAG_'
export const incompatibleUpgrades = `${flagPrefix}ALLOW_VET_INCOMPATIBLE_UPGRADES`
export const unvettedDependencies = `${flagPrefix}ALLOW_UNVETTED_DEPENDENCIES`
const forceFlag = oneOf([`${flagPrefix}UNSPECIFIED`, incompatibleUpgrades, unvettedDependencies])

const noOperation: Operation = { kind: 'none' }
const anySerial: ExpectedSerial = { kind: 'any' }

const changes: Decoder<Operation[] | undefined> = list(
  mapped(message({ operation: optional(operation, noOperation) }), ({ operation: named }) => named),
)

export const vettingBody = message(
  {
    changes: optional(changes, undefined),
    dryRun: optional(flag, false),
    synchronizerId: optional(text, ''),
    expectedTopologySerial: absentable(message({ serial: optional(serial, anySerial) })),
    updateVettedPackagesForceFlags: optional(list(forceFlag), []),
  },
  ['expectedTopologySerial'],
)
