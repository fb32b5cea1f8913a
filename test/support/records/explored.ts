import { embeddedReference } from '../../../cli/target/explored-model.js'
import { conformanceModel } from '../../../cli/tool/conformance-model.js'
import { explore } from '../../../explore/explore.js'
import type { ExplorationOptions } from '../../../explore/options.js'
import type { Exploration } from '../../../record/types/exploration.js'
import { type SimulatorOptions, startSimulator } from '../../../simulator/simulator.js'
import '../processes/program-calls.js'
import { readTarget } from '../suites/plain-target.js'
import { profileNamed, wholeSuite } from '../suites/whole-suite.js'

type Wanted = Partial<
  Pick<
    ExplorationOptions,
    'seed' | 'sequences' | 'requests' | 'budget' | 'maxFindings' | 'only' | 'report' | 'allowed' | 'concurrency'
  >
> & {
  profile?: string
  /** Default: a new simulator. */
  url?: string
  authorization?: string
}

/** One worker has a deterministic first finding. */
export const alone = { maxFindings: 1, concurrency: 1 }

/** Each worker creates parties and users on both sides. */
const usualConcurrency = 4

/** Without limits. */
export function explorationOf(
  url: string,
  { profile = 'canton-3.5', authorization = 'none', url: _, ...wanted }: Wanted,
): ExplorationOptions {
  const target = readTarget(url, authorization)
  const found = profileNamed(profile)
  return {
    target,
    suite: wholeSuite,
    profile: found,
    packages: conformanceModel,
    timeLimit: 30_000,
    redact: [],
    openReference: (facts) => embeddedReference(target, found, facts),
    allowed: new Set(['read', 'write', 'topology', 'upload']),
    report: () => undefined,
    concurrency: usualConcurrency,
    ...wanted,
  }
}

export async function explored(options: SimulatorOptions, wanted: Wanted): Promise<Exploration> {
  const { url } = wanted
  const simulator = url === undefined ? await startSimulator(options) : undefined
  const { authorization } = options
  try {
    return await explore(
      explorationOf(simulator?.url ?? url ?? '', { ...(authorization !== undefined && { authorization }), ...wanted }),
    )
  } finally {
    await simulator?.close()
  }
}
