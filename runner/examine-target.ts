import { type Repaired, repairLeftovers } from './changes/leftovers.js'
import { type Limitations, unlimited } from './plan/limitations.js'
import { knownCapabilities } from './provision/capabilities.js'
import { type Discovery, discover } from './provision/discover.js'
import { type ModelState, seeModel } from './provision/model.js'
import type { Preparing } from './provision/preparing.js'
import { expectKnown, fixturesOfPresigned } from './provision/presigned-parties.js'
import { withoutPreparing } from './provision/without-preparing.js'
import { noModel, type RunOptions } from './run-options.js'
import type { StartedSession } from './start-session.js'
import type { ResolvedFixture } from './suite/resolved-suite.js'
import type { Capabilities } from './target/capabilities.js'
import type { PresignedParty, TargetAccess } from './target/target-file.js'

/** What the target is and can do, as far as it shows before anything is made there. */
export interface ExaminedTarget {
  discovery: Discovery
  /** Parties from elsewhere, by the fixtures that they stand for. */
  presigned: ReadonlyMap<string, PresignedParty>
  limitations: Limitations
  model: ModelState
  capabilities: Capabilities
  /** What a target file tells of preparing, where nothing is prepared. */
  told: Preparing | undefined
  /** What became of what earlier runs had left changed. */
  leftovers: Repaired
}

/** Changes nothing but what earlier runs left changed, which is put back. Throws `TargetError` where the target cannot be reached, or is another one than the target file says. */
export async function examineTarget(
  options: RunOptions,
  fixtures: readonly ResolvedFixture[],
  { call, learned }: StartedSession,
): Promise<ExaminedTarget> {
  const access = options.access ?? nothingSaid
  const discovery = await discover(call, access.unreachable, learned)
  const presigned = fixturesOfPresigned(fixtures, access.presigned)
  const limitations = limitationsOf(options, discovery, presigned)
  const leftovers = await repairLeftovers(options.results, discovery, call)
  // Whatever does not fit is found before anything is made.
  const told = limitations.prepares ? undefined : withoutPreparing(access, discovery, options.protocolVersion)
  await expectKnown(presigned.values(), call)
  const { packages, mayUpload } = options.model ?? noModel
  const model = await seeModel(packages, mayUpload, discovery, call)
  const capabilities = knownCapabilities(options.target, discovery, model, presigned)
  return { discovery, presigned, limitations, model, capabilities, told, leftovers }
}

const nothingSaid: TargetAccess = { file: '', unreachable: new Set(), presigned: [] }

function limitationsOf(
  { access }: RunOptions,
  { externalParties }: Discovery,
  presigned: ReadonlyMap<string, unknown>,
): Limitations {
  if (!access) return unlimited
  return {
    prepares: !access.unreachable.has('prepare'),
    onboards: externalParties === true,
    presigned: new Set(presigned.keys()),
  }
}
