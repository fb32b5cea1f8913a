import { type Arbitrary, array, constant, constantFrom, oneof, subarray, tuple } from 'fast-check'
import type { Data } from '../../record/types/resolved-row.js'
import { type DraftContext, type DraftStep, stepOf, variable } from './draft-step.js'
import { chance, someMembers, weighted } from './draw.js'

export interface VettedPackage {
  id: string
  name: string
  version: string
  isVetted: boolean
}

export const packageReference = (known: Partial<VettedPackage>): { [name: string]: Data } => ({
  packageId: known.id ?? '',
  packageName: known.name ?? '',
  packageVersion: known.version ?? '',
})

const flags: readonly string[] = [
  'UPDATE_VETTED_PACKAGES_FORCE_FLAG_UNSPECIFIED',
  'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_VET_INCOMPATIBLE_UPGRADES',
  'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES',
]

const bounds: readonly [Data, Data][] = [
  [null, null],
  [null, null],
  ['2000-01-01T00:00:00Z', '2090-01-01T00:00:00Z'],
  ['2089-01-01T00:00:00Z', null],
  [null, '2001-01-01T00:00:00Z'],
  ['2090-01-01T00:00:00Z', '2000-01-01T00:00:00Z'],
  ['2050-01-01T00:00:00Z', '2050-01-01T00:00:00Z'],
]

const serials: Arbitrary<Data> = weighted<Data>(
  [4, { serial: { Prior: { value: variable('serial') } } }],
  [1, { serial: { Prior: { value: 1 } } }],
  [0.5, { serial: { Prior: { value: 0 } } }],
  [0.7, { serial: { NoPrior: {} } }],
  [0.7, { serial: { Empty: {} } }],
)

export function changeVetting(context: DraftContext, packages: readonly VettedPackage[]): DraftStep {
  const { draw, canChangeVetting, hasOtherSynchronizer } = context
  const isDryRun = !canChangeVetting || draw(chance(40))
  const count = draw(weighted([1, 0], [8, 1], [4, 2], [1, 3]))
  const synchronizers = weighted(
    [10, variable('synchronizerId')],
    [hasOtherSynchronizer ? 3 : 0, variable('otherSynchronizerId')],
    [0.5, 'x::1220'],
    [0.3, 'nothing'],
  )
  const body = someMembers<Data>({
    changes: { percent: 100, value: array(changeOf(packages), { minLength: count, maxLength: count }) },
    dryRun: { percent: isDryRun ? 100 : 50, value: constant(isDryRun) },
    synchronizerId: { percent: 80, value: synchronizers },
    expectedTopologySerial: { percent: 40, value: serials },
    updateVettedPackagesForceFlags: { percent: 35, value: subarray([...flags]) },
  })
  return {
    step: stepOf({
      about: isDryRun ? 'change vetting (dry run)' : 'change vetting',
      operation: 'update-package-vetting',
      actor: 'administrator',
      body: draw(body),
    }),
    onAnswer: (answer) => (answer === undefined ? undefined : { serial: '/newVettedPackages/topologySerial' }),
  }
}

function changeOf(packages: readonly VettedPackage[]): Arbitrary<Data> {
  const reference = constantFrom(...packages).chain(referenceTo)
  const references = oneof(
    { weight: 10, arbitrary: array(reference, { minLength: 1, maxLength: 1 }) },
    { weight: 3, arbitrary: array(reference, { maxLength: 2 }) },
  )
  const vet = tuple(references, constantFrom(...bounds)).map(([named, [from, until]]) => ({
    Vet: { value: { packages: named, newValidFromInclusive: from, newValidUntilExclusive: until } },
  }))
  const unvet = references.map((named) => ({ Unvet: { value: { packages: named } } }))
  return oneof<{ weight: number; arbitrary: Arbitrary<Data> }[]>(
    { weight: 60, arbitrary: vet.map((operation) => ({ operation })) },
    { weight: 40, arbitrary: unvet.map((operation) => ({ operation })) },
    { weight: 3, arbitrary: constantFrom({ operation: { Empty: {} } }, {}) },
  )
}

const referenceTo = ({ id, name, version }: VettedPackage): Arbitrary<Data> =>
  weighted<Data>(
    [8, packageReference({ id })],
    [5, packageReference({ name, version })],
    [2, packageReference({ name })],
    [1, packageReference({ id, name, version })],
    [0.4, packageReference({ id, name: 'another', version })],
    [0.4, packageReference({ id: '0'.repeat(64) })],
    [0.4, packageReference({ version })],
  )

export const listVetted = (): DraftStep => ({
  step: stepOf({
    about: 'list vetted packages',
    operation: 'list-vetted-packages',
    actor: 'administrator',
    body: {
      packageMetadataFilter: { packageIds: [], packageNamePrefixes: ['conformance'] },
      topologyStateFilter: {
        participantIds: [variable('participantId')],
        synchronizerIds: [variable('synchronizerId')],
      },
    },
  }),
  onAnswer: (answer) => (answer === undefined ? undefined : { serial: '/vettedPackages/0/topologySerial' }),
})

/** Their variables. */
export const synchronizersIn = (variables: ReadonlyMap<string, unknown>): string[] =>
  ['synchronizerId', 'otherSynchronizerId'].filter((name) => variables.has(name))

export function restoringVetting(packages: readonly VettedPackage[], synchronizers: readonly string[]): DraftStep[] {
  const references = (isVetted: boolean): Data =>
    packages.filter((one) => one.isVetted === isVetted).map(({ id }) => packageReference({ id }))
  return synchronizers.map((name) => {
    const step = stepOf({
      about: 'restore vetting',
      operation: 'update-package-vetting',
      actor: 'administrator',
      body: {
        changes: [
          { operation: { Unvet: { value: { packages: references(false) } } } },
          {
            operation: {
              Vet: { value: { packages: references(true), newValidFromInclusive: null, newValidUntilExclusive: null } },
            },
          },
        ],
        synchronizerId: variable(name),
        updateVettedPackagesForceFlags: flags.slice(1),
      },
    })
    return { step: { ...step, restores: true } }
  })
}
