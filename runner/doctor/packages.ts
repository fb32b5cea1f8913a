import { boundsInWords, readVetting, type VettedPackage } from '../changes/vetting-state.js'
import type { Caller } from '../provision/caller.js'
import type { Discovery } from '../provision/discover.js'
import type { ModelPackage, ModelState } from '../provision/model-packages.js'
import { TargetError } from '../target/target.js'
import { type Finding, good, warning } from './finding.js'

/** `model`: its state without an upload. */
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
    const advice = 'Rows that change vetting do not run, because the run could not restore it.'
    return [
      found,
      warning('packages', 'vetting-untold', `the vetting state is unreadable: ${error.message}`, { advice }),
    ]
  }
}

function modelFinding(packages: readonly ModelPackage[], { capability }: ModelState): Finding {
  const facts = { packages: packages.map(({ title, id }) => ({ title, id })) }
  if (capability === true)
    return good(
      'packages',
      'model',
      `the packages of the conformance model (${packages.length}) are uploaded and vetted as rows need them`,
      { facts },
    )
  const [code, why] =
    'hindered' in capability
      ? (['model-hindered', capability.hindered] as const)
      : (['model-missing', 'without' in capability ? capability.without : capability] as const)
  const isUploadable = code === 'model-missing' && 'code' in why && why.code === 'packages-unready'
  const advice = isUploadable ? 'Add upload to --allow, and the run uploads missing packages.' : undefined
  return warning('packages', code, 'rows cannot use the packages of the conformance model', {
    because: why,
    facts,
    ...(advice !== undefined && { advice }),
  })
}

function boundFinding(one: VettedPackage, synchronizer: string, known: ReadonlyMap<string, string>): Finding[] {
  const { packageId, packageName, packageVersion, from, until } = one
  if (from === undefined && until === undefined) return []
  const name = known.get(packageId) ?? `${packageName} ${packageVersion}`
  const advice = known.has(packageId)
    ? 'Run conform clean to remove them.'
    : 'The target may reject rows that use it. Vet it without bounds unless they are intended.'
  const what = `${name} is vetted only ${boundsInWords(one)} (${synchronizer})`
  return [warning('packages', 'bounds', what, { advice, facts: { ...one, synchronizer } })]
}
