/** Both participants, with all that conversations need there. */
import { randomBytes } from 'node:crypto'
import type { Redaction } from '../lib/redaction/redaction.js'
import type { ModelPackage } from '../runner/provision/model-packages.js'
import { probePreparation } from '../runner/provision/preparation.js'
import { resolveSuite } from '../runner/resolve/resolve-suite.js'
import type { Profile, Suite } from '../runner/suite/suite.js'
import type { Permissions } from '../runner/target/permissions.js'
import type { Stage } from './generate/generator-settings.js'
import type { ModelSwitches } from './judge/adapt.js'
import { type Rulebook, rulebookOf } from './judge/ruling.js'
import { NotPermitted } from './not-permitted.js'
import type { ExplorationOptions } from './options.js'
import { type Environment, type EnvironmentPlan, environmentPlan, makeEnvironment } from './send/environment.js'
import { provideModel } from './send/model-packages.js'
import { openSide, type Side } from './send/side.js'
import { SideChanges } from './side-changes.js'
import type { Lane } from './worker.js'

/** Both sides, ready for conversations. */
export interface OpenLanes {
  first: Lane
  /** Beside it, under another number each time. */
  further(number: number): Promise<Lane>
  rulebook: Rulebook
  /** Unique, and in the names of all that is made. */
  id: string
  switches?: ModelSwitches
  close(): Promise<void>
}

/** An environment takes fixtures and actors alone. */
const noRow = (): boolean => false

/** The name of the profile that holds the text alone. */
const textProfile = 'interface'

/** Makes on both sides what conversations need. Rejects with `NotPermitted`, `TargetError` and `JournalError`. */
export async function openLanes(options: ExplorationOptions, redaction: Redaction): Promise<OpenLanes> {
  const { suite, profile, protocolVersion, packages, allowed, timeLimit, folders = {}, told } = options
  if (!allowed.has('write'))
    throw new NotPermitted(
      'allow: an exploration makes parties and contracts; say --allow write where that may be done',
    )
  const id = randomBytes(4).toString('hex')
  const changes: SideChanges[] = []
  const opened: { close(): Promise<void> }[] = []
  const close = async (): Promise<void> => {
    for (const one of changes) for (const sentence of await one.settle()) told({ kind: 'notice', sentence })
    for (const one of opened.toReversed()) await one.close()
  }
  try {
    const plan = environmentPlan(resolveSuite(suite, profile, protocolVersion, noRow))
    const open = async (name: Side['name'], at: typeof options.target) => {
      const side = await openSide(name, at, timeLimit, redaction)
      opened.push(side)
      const own = new SideChanges(side, id, folders[name])
      changes.push(own)
      const environmentOn = (lane: Side, number: number) =>
        makeEnvironment(lane, plan, `${id}${number || ''}`, own.recordGrant)
      return { side, changes: own, environmentOn, environment: await environmentOn(side, 0) }
    }
    const target = await open('target', options.target)
    const version = protocolVersion ?? (await versionOf(target.side, target.environment, plan))
    const { synchronizerIds } = target.side.discovery
    const openModel = await options.model({ protocolVersion: version, synchronizers: synchronizerIds.length })
    opened.push(openModel)
    const model = await open('model', openModel.target)
    const hindrance = await modelHindrance([target.side, model.side], packages, allowed)
    if (hindrance !== undefined) told({ kind: 'notice', sentence: `without the conformance model: ${hindrance}` })
    if (hindrance === undefined && allowed.has('topology'))
      for (const one of [target, model]) await one.changes.watchVetting(packages.map((each) => each.id))
    const common = {
      hasModel: hindrance === undefined,
      hasTokens: options.target.authorization.kind === 'minted',
      actors: plan.actors.map(({ name }) => name).filter((name) => target.environment.variables.has(`user.${name}`)),
      tokens: [...suite.tokens.values()],
      may: { topology: allowed.has('topology') },
      packages: hindrance === undefined ? packages.map(vettedPackage) : [],
    }
    const laneOf = (
      targetSide: Side,
      modelSide: Side,
      environments: { target: Environment; model: Environment },
    ): Lane => ({
      pair: { target: targetSide, model: modelSide, environments },
      stage: {
        ...common,
        variables: environments.model.variables,
        external: environments.model.external.filter((party) => environments.target.external.includes(party)),
      },
    })
    const further = async (number: number): Promise<Lane> => {
      const [ours, theirs] = [model.side.lane(), target.side.lane()]
      const [own, other] = await Promise.all([model.environmentOn(ours, number), target.environmentOn(theirs, number)])
      return laneOf(theirs, ours, { target: other, model: own })
    }
    const first = laneOf(target.side, model.side, { target: target.environment, model: model.environment })
    const rulebook = rulebookFor(suite, profile, version)
    const { switches } = openModel
    return { first, further, rulebook, id, ...(switches && { switches }), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Those of a suite that were made before, by profile and version: whoever explores again needs the same. */
const rulebooks = new WeakMap<Suite, Map<string, Rulebook>>()

function rulebookFor(suite: Suite, profile: Profile, version: number | undefined): Rulebook {
  const name = `${profile.name} ${version}`
  const known = rulebooks.get(suite) ?? new Map<string, Rulebook>()
  rulebooks.set(suite, known)
  const text = suite.profiles.get(textProfile) ?? profile
  const rulebook =
    known.get(name) ??
    rulebookOf({
      resolve: () => ({ suite: resolveSuite(suite, profile, version), text: resolveSuite(suite, text, version) }),
      isText: profile.name === textProfile,
    })
  known.set(name, rulebook)
  return rulebook
}

/** The protocol version, as a prepared transaction tells it. */
async function versionOf(
  side: Side,
  { variables, actorUsers }: Environment,
  { actors }: EnvironmentPlan,
): Promise<number | undefined> {
  const parties = ['alice', 'eve'].flatMap((name): [string, string][] => {
    const id = variables.get(name)
    return typeof id === 'string' ? [[name, id]] : []
  })
  return (await probePreparation(new Map(parties), actorUsers, actors, side.discovery, side.as)).protocolVersion
}

/** Why conversations do without the packages of the model; undefined: both sides have them. */
async function modelHindrance(
  sides: readonly Side[],
  packages: readonly ModelPackage[],
  allowed: Permissions,
): Promise<string | undefined> {
  for (const side of sides) {
    const provided = await provideModel(side, packages, side.name === 'model' ? uploads : allowed)
    if (provided !== true) return `${side.name}: ${provided}`
  }
  return undefined
}

/** What nobody has to be asked for with a model of one's own; another participant in its place says so itself. */
const uploads: Permissions = new Set(['upload'])

const vettedPackage = ({ id, title, vetted }: ModelPackage): Stage['packages'][number] => {
  const [name = '', version = ''] = title.split(' ')
  return { id, name, version, isVetted: vetted }
}
