/** Changes of what is vetted, decided only or done, and what becomes of commands then. */

import type { Data } from '../../record/types/resolved-row.js'
import { type Drafted, type Drafting, turnOf } from './draft-step.js'
import { variable } from './variable.js'

/** A package that conversations vet and unvet: nobody else has a use for it. */
export interface VettedPackage {
  id: string
  name: string
  version: string
  /** Where nobody is in the midst of something. */
  isVetted: boolean
}

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

export function changeVetting(drafting: Drafting, packages: readonly VettedPackage[]): Drafted {
  const { random, may, hasOtherSynchronizer } = drafting
  const isDry = !may.topology || random.chance(0.4)
  const changes = Array.from(
    {
      length: random.weighted([
        [1, 0],
        [8, 1],
        [4, 2],
        [1, 3],
      ]),
    },
    () => changeOf(drafting, packages),
  )
  const serial = random.weighted<Data | undefined>([
    [10, undefined],
    [4, { serial: { Prior: { value: variable('serial') } } }],
    [1, { serial: { Prior: { value: 1 } } }],
    [0.5, { serial: { Prior: { value: 0 } } }],
    [0.7, { serial: { NoPrior: {} } }],
    [0.7, { serial: { Empty: {} } }],
  ])
  const synchronizerId = random.weighted<Data | undefined>([
    [10, variable('synchronizerId')],
    [3, undefined],
    [hasOtherSynchronizer ? 3 : 0, variable('otherSynchronizerId')],
    [0.5, 'x::1220'],
    [0.3, 'nothing'],
  ])
  const body: Record<string, Data> = {
    changes,
    ...(isDry || random.chance(0.5) ? { dryRun: isDry } : {}),
    ...(synchronizerId !== undefined && { synchronizerId }),
    ...(serial !== undefined && { expectedTopologySerial: serial }),
    ...(random.chance(0.35) && { updateVettedPackagesForceFlags: random.some(flags, 0.5) }),
  }
  return {
    turn: turnOf({
      about: isDry ? 'decide on vetting' : 'change vetting',
      operation: 'update-package-vetting',
      actor: 'administrator',
      body,
    }),
    heard: (answer) => (answer === undefined ? undefined : { serial: '/newVettedPackages/topologySerial' }),
  }
}

function changeOf({ random }: Drafting, packages: readonly VettedPackage[]): Data {
  const references = Array.from(
    {
      length: random.weighted([
        [10, 1],
        [3, 2],
        [0.3, 0],
      ]),
    },
    () => referenceTo(random.pick(packages)),
  )
  const [from, until] = random.pick(bounds)
  const isVet = random.chance(0.6)
  const value = isVet
    ? { packages: references, newValidFromInclusive: from, newValidUntilExclusive: until }
    : { packages: references }
  return random.weighted<Data>([
    [20, { operation: isVet ? { Vet: { value } } : { Unvet: { value } } }],
    [0.4, { operation: { Empty: {} } }],
    [0.3, {}],
  ])

  function referenceTo({ id, name, version }: VettedPackage): Data {
    return random.weighted<Data>([
      [8, { packageId: id, packageName: '', packageVersion: '' }],
      [5, { packageId: '', packageName: name, packageVersion: version }],
      [2, { packageId: '', packageName: name, packageVersion: '' }],
      [1, { packageId: id, packageName: name, packageVersion: version }],
      [0.4, { packageId: id, packageName: 'another', packageVersion: version }],
      [0.4, { packageId: '0'.repeat(64), packageName: '', packageVersion: '' }],
      [0.4, { packageId: '', packageName: '', packageVersion: version }],
    ])
  }
}

export const listVetted = (): Drafted => ({
  turn: turnOf({
    about: 'what is vetted',
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
  heard: (answer) => (answer === undefined ? undefined : { serial: '/vettedPackages/0/topologySerial' }),
})

/** Puts back what is vetted, on each synchronizer, whatever it is now. */
export function restoringVetting(packages: readonly VettedPackage[], synchronizers: readonly string[]): Drafted[] {
  const references = (isVetted: boolean): Data =>
    packages
      .filter((one) => one.isVetted === isVetted)
      .map(({ id }) => ({ packageId: id, packageName: '', packageVersion: '' }))
  return synchronizers.map((name) => {
    const turn = turnOf({
      about: 'put back what is vetted',
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
    return { turn: { ...turn, restores: true } }
  })
}
