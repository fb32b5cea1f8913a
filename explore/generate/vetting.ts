import type { Data } from '../../record/types/resolved-row.js'
import { type DraftContext, type DraftStep, stepOf, variable } from './draft-step.js'

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

export function changeVetting(context: DraftContext, packages: readonly VettedPackage[]): DraftStep {
  const { random, canChangeVetting, hasOtherSynchronizer } = context
  const isDryRun = !canChangeVetting || random.chance(0.4)
  const changes = Array.from({ length: random.weighted([1, 0], [8, 1], [4, 2], [1, 3]) }, () =>
    changeOf(context, packages),
  )
  const serial = random.weighted<Data | undefined>(
    [10, undefined],
    [4, { serial: { Prior: { value: variable('serial') } } }],
    [1, { serial: { Prior: { value: 1 } } }],
    [0.5, { serial: { Prior: { value: 0 } } }],
    [0.7, { serial: { NoPrior: {} } }],
    [0.7, { serial: { Empty: {} } }],
  )
  const synchronizerId = random.weighted<Data | undefined>(
    [10, variable('synchronizerId')],
    [3, undefined],
    [hasOtherSynchronizer ? 3 : 0, variable('otherSynchronizerId')],
    [0.5, 'x::1220'],
    [0.3, 'nothing'],
  )
  const body: Record<string, Data> = {
    changes,
    ...(isDryRun || random.chance(0.5) ? { dryRun: isDryRun } : {}),
    ...(synchronizerId !== undefined && { synchronizerId }),
    ...(serial !== undefined && { expectedTopologySerial: serial }),
    ...(random.chance(0.35) && { updateVettedPackagesForceFlags: random.some(flags, 0.5) }),
  }
  return {
    step: stepOf({
      about: isDryRun ? 'change vetting (dry run)' : 'change vetting',
      operation: 'update-package-vetting',
      actor: 'administrator',
      body,
    }),
    onAnswer: (answer) => (answer === undefined ? undefined : { serial: '/newVettedPackages/topologySerial' }),
  }
}

function changeOf({ random }: DraftContext, packages: readonly VettedPackage[]): Data {
  const references = Array.from({ length: random.weighted([10, 1], [3, 2], [0.3, 0]) }, () =>
    referenceTo(random.pick(packages)),
  )
  const [from, until] = random.pick(bounds)
  const isVet = random.chance(0.6)
  const value = isVet
    ? { packages: references, newValidFromInclusive: from, newValidUntilExclusive: until }
    : { packages: references }
  return random.weighted<Data>(
    [20, { operation: isVet ? { Vet: { value } } : { Unvet: { value } } }],
    [0.4, { operation: { Empty: {} } }],
    [0.3, {}],
  )

  function referenceTo({ id, name, version }: VettedPackage): Data {
    return random.weighted<Data>(
      [8, packageReference({ id })],
      [5, packageReference({ name, version })],
      [2, packageReference({ name })],
      [1, packageReference({ id, name, version })],
      [0.4, packageReference({ id, name: 'another', version })],
      [0.4, packageReference({ id: '0'.repeat(64) })],
      [0.4, packageReference({ version })],
    )
  }
}

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
