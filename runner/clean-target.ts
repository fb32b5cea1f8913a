/** Puts a target right that runs have left changed because they were ended: by what their journals say, and by what shows at the target. */
import { type Repaired, repairLeftovers } from './changes/leftovers.js'
import { speakerOf } from './provision/cast.js'
import { discover } from './provision/discover.js'
import { seeModel, vetAsNeeded } from './provision/model.js'
import { noModel, type RunOptions } from './run-options.js'
import { type StartedSession, startSession } from './start-session.js'
import { withoutSecrets } from './without-secrets.js'

/**
 * A sentence for each thing that was put back, and for each that is left. Packages of the model that the target lacks are no
 * leftovers: nothing is uploaded. Throws `TargetError` where the target cannot be reached, or refuses to be put right.
 */
export async function cleanTarget(options: RunOptions): Promise<Repaired> {
  const started = startSession(options, () => undefined)
  const clean = (sentences: readonly string[]): string[] => sentences.map((one) => started.redaction.clean(one))
  try {
    const { repaired, left } = await cleanWith(started, options)
    return { repaired: clean(repaired), left: clean(left) }
  } catch (error) {
    throw withoutSecrets(error, started.redaction)
  }
}

async function cleanWith({ restoring, learned }: StartedSession, options: RunOptions): Promise<Repaired> {
  const call = restoring(speakerOf(options.target))
  const discovery = await discover(call, options.access?.unreachable ?? new Set(), learned, options.access)
  const { repaired, left } = await repairLeftovers(options.results, discovery, call)
  const { packages } = options.model ?? noModel
  const found = await seeModel(packages, false, discovery, call)
  if (typeof found.capability !== 'object') return { repaired, left }
  await vetAsNeeded(found.misvetted, discovery, call)
  const after = await seeModel(packages, false, discovery, call)
  return typeof after.capability === 'object'
    ? { repaired, left: [...left, after.capability.hindered] }
    : {
        repaired: [
          ...repaired,
          `Packages of the conformance model are vetted as rows need them: ${found.capability.hindered}`,
        ],
        left,
      }
}
