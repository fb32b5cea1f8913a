/** The packages that rows need: what is there and vetted, and bounds that a run which was ended has left behind. */
import { readVetting, type VettedPackage } from '../changes/vetting-state.js'
import type { Caller } from '../provision/caller.js'
import type { Discovery } from '../provision/discover.js'
import type { ModelPackage, ModelState } from '../provision/model-packages.js'
import { TargetError } from '../target/target.js'
import { type Finding, good, warning } from './finding.js'

/** `model`: as a run would find it that may upload nothing. */
export async function checkPackages(
  packages: readonly ModelPackage[],
  model: ModelState,
  { participantId, synchronizerIds }: Discovery,
  call: Caller,
): Promise<Finding[]> {
  const found = modelFinding(packages, model)
  if (participantId === undefined || synchronizerIds.length === 0) return [found]
  try {
    const watched = new Set(packages.map(({ id }) => id))
    const vetted = Object.entries(await readVetting(participantId, synchronizerIds, watched, call))
    const known = new Map(packages.map(({ id, title }) => [id, title]))
    return [
      found,
      ...vetted.flatMap(([synchronizer, all]) => all.flatMap((one) => boundFinding(one, synchronizer, known))),
    ]
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    const advice = 'rows that change vetting will not run: nobody could put it back'
    return [found, warning('packages', 'vetting-untold', `what is vetted cannot be read: ${error.message}`, { advice })]
  }
}

function modelFinding(packages: readonly ModelPackage[], { capability }: ModelState): Finding {
  const facts = { packages: packages.map(({ title, id }) => ({ title, id })) }
  if (capability === true)
    return good(
      'packages',
      'model',
      `the ${packages.length} packages of the conformance model are there, vetted as rows need them`,
      { facts },
    )
  const [code, why] =
    typeof capability === 'object' && 'hindered' in capability
      ? (['model-hindered', capability.hindered] as const)
      : (['model-missing', typeof capability === 'object' ? capability.without : capability] as const)
  const advice = code === 'model-missing' ? '--allow with upload has a run upload what is missing' : undefined
  return warning('packages', code, `the packages of the conformance model are not as rows need them: ${why}`, {
    facts,
    ...(advice !== undefined && { advice }),
  })
}

function boundFinding(one: VettedPackage, synchronizer: string, known: ReadonlyMap<string, string>): Finding[] {
  const { packageId, packageName, packageVersion, from, until } = one
  if (from === undefined && until === undefined) return []
  const name = known.get(packageId) ?? `${packageName} ${packageVersion}`
  const advice = known.has(packageId)
    ? 'conform clean takes them away'
    : 'rows that use it may be refused: have it vetted without, if that is not meant'
  const what = `${name} is vetted with bounds, from ${from ?? 'the beginning'} until ${until ?? 'the end'} (${synchronizer})`
  return [warning('packages', 'bounds', what, { advice, facts: { ...one, synchronizer } })]
}
