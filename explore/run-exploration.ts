/** A whole exploration: looks at both participants, makes what conversations need, has them, and takes back what it gave. */
import { randomBytes } from 'node:crypto'
import { type OperationName, operations } from '../interface/operations.js'
import { Redaction } from '../interface/redaction.js'
import { withdrawRights } from '../runner/changes/withdraw-rights.js'
import type { GivenRights } from '../runner/provision/actors.js'
import type { ModelPackage } from '../runner/provision/model.js'
import { askPreparing } from '../runner/provision/preparing.js'
import { resolveSuite } from '../runner/resolve/resolve-suite.js'
import type { Profile, Suite } from '../runner/suite/suite.js'
import type { Permissions } from '../runner/target/permissions.js'
import { type Target, TargetError } from '../runner/target/target.js'
import { saidBy } from './compare/compare-answers.js'
import { type Explored, type ExploreEvent, explore } from './explore.js'
import type { Stage } from './generate/talker.js'
import { restoringVetting } from './generate/vetting.js'
import { contractRound } from './histories/contract-round.js'
import type { MakeRound } from './histories/round.js'
import { submissionsRound } from './histories/submissions-round.js'
import { vettingRound } from './histories/vetting-round.js'
import { adaptationOf, type ModelSwitches } from './judge/adapt.js'
import { type Rulebook, rulebookOf } from './judge/ruling.js'
import { signatureOf } from './judge/signature.js'
import { NotPermitted } from './not-permitted.js'
import { converse, type Pair, written } from './pair/converse.js'
import type { SavedFinding } from './saved-finding.js'
import type { Turn } from './talk/conversation.js'
import { provideModel } from './talk/model-packages.js'
import { openSide, type Side } from './talk/side.js'
import { makeWorld, type World, type WorldPlan, worldPlan } from './talk/world.js'
import { caseYaml, namesOfIds } from './tell/case-yaml.js'
import { curlScript } from './tell/curl-script.js'
import { UnknownOperation } from './unknown-operation.js'

export interface ExplorationOptions {
  target: Target
  /** Opens the model when it is known what the target is like. */
  model(facts: ModelFacts): Promise<OpenModel>
  suite: Suite
  profile: Profile
  protocolVersion?: number
  packages: readonly ModelPackage[]
  allowed: Permissions
  /** The one operation that conversations are about. */
  only?: string
  /** Of how many members of a request every combination of values is tried; 2 unless it is given. */
  strength?: number
  seed?: string
  budget?: number
  conversations?: number
  most?: number
  timeLimit: number
  /** What must not be told, beside tokens and keys. */
  redact: readonly RegExp[]
  told(event: ExploreEvent | { kind: 'notice'; sentence: string }): void
  ended?(): boolean
}

/** What a model has to have in common with the target, whatever else they differ in. */
export interface ModelFacts {
  protocolVersion: number | undefined
  synchronizers: number
}

export interface OpenModel {
  target: Target
  /** Where the model is one that can do otherwise. */
  switches?: ModelSwitches
  close(): Promise<void>
}

export interface Exploration extends Explored {
  seed: string
  profile: string
}

/** Both sides, ready for conversations. */
export interface OpenPair {
  pair: Pair
  stage: Stage
  rulebook: Rulebook
  id: string
  switches?: ModelSwitches
  close(): Promise<void>
}

/** The name of the profile that holds the text alone. */
const textProfile = 'interface'

function operationOf(name: string | undefined): OperationName | undefined {
  if (name === undefined) return undefined
  if (Object.hasOwn(operations, name)) return name as OperationName // just found to be one
  throw new UnknownOperation(`only: there is no operation ${name}; known: ${Object.keys(operations).join(', ')}`)
}

/** Rejects with `UnknownOperation`, and with `TargetError` where one of the two cannot be reached, or made what it takes. */
export async function runExploration(options: ExplorationOptions): Promise<Exploration> {
  const { seed = randomBytes(6).toString('hex'), profile, told } = options
  const redaction = new Redaction(options.redact)
  const only = operationOf(options.only)
  const { pair, stage, rulebook, id, switches, close } = await openPair(options, redaction)
  const { budget, conversations, most, ended, strength } = options
  try {
    const explored = await explore({
      ...{
        pair,
        stage: { ...stage, ...(only !== undefined && { only }), ...(strength !== undefined && { strength }) },
        seed,
        id,
        redaction,
        rulebook,
        told,
      },
      tell: (finding, exchanges) => {
        const { model, target } = pair.worlds
        const yaml = caseYaml(finding, exchanges, namesOfIds(exchanges, model.variables), {
          requests: options.suite.requests,
          situationOf: (exchange) => rulebook.situationOf(exchange),
          restoring: () => restoringTurns(stage),
        })
        const last = exchanges.at(-1)?.turn.about ?? ''
        const curl = curlScript(`${finding.id}: ${last}`, exchanges, textsIn(target.variables), options.target.url)
        return { ...(yaml !== undefined && { yaml: redaction.clean(yaml) }), curl: redaction.clean(curl) }
      },
      ...(switches && { adaptation: adaptationOf(switches) }),
      ...(budget !== undefined && { budget }),
      ...(conversations !== undefined && { conversations }),
      ...(most !== undefined && { most }),
      ...(ended && { ended }),
      restoring: () => restoringTurns(stage),
      rounds: roundsFor(stage, only),
    })
    return { ...explored, seed, profile: profile.name }
  } finally {
    await close()
  }
}

const textsIn = (variables: World['variables']): Map<string, string> =>
  new Map([...variables].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])))

/** Those that the target may be asked for, and that are about what is explored. */
const roundsFor = ({ packages, may }: Stage, only: OperationName | undefined): MakeRound[] => [
  ...(only === undefined || only === 'submit-and-wait' ? [contractRound, submissionsRound] : []),
  ...(packages.length > 0 && may.topology && (only === undefined || only === 'update-package-vetting')
    ? [vettingRound(packages)]
    : []),
]

/** What came of playing a finding again. */
export interface Replayed {
  /** What each side said to each turn: status, media type and code. */
  said: { about: string; model: string; target: string }[]
  /** The sides differ at the last turn as they did before. */
  isSame: boolean
}

/** Plays the turns of a finding once more. Rejects with `TargetError` as an exploration does. */
export async function replay(options: ExplorationOptions, { turns, signature }: SavedFinding): Promise<Replayed> {
  const { pair, stage, id, close } = await openPair(options, new Redaction(options.redact))
  try {
    const { exchanges } = await converse(pair, written(turns), `${id}r`, ({ turn }) => turn !== turns.at(-1))
    const last = exchanges.at(-1)
    if (exchanges.some(({ turn }) => turn.operation === 'update-package-vetting'))
      await converse(pair, written(restoringTurns(stage)), `${id}p`, () => true)
    return {
      said: exchanges.map(({ turn, model, target }) => ({
        about: turn.about,
        model: saidBy(model),
        target: saidBy(target),
      })),
      isSame: last?.difference !== undefined && signatureOf(last.turn, last.difference) === signature,
    }
  } finally {
    await close()
  }
}

/** Puts back what is vetted, wherever a conversation stopped; nothing where it could not have changed it. */
const restoringTurns = ({ packages, variables, may }: Stage): Turn[] => {
  const synchronizers = ['synchronizerId', 'otherSynchronizerId'].filter((name) => variables.has(name))
  return may.topology ? restoringVetting(packages, synchronizers).map(({ turn }) => turn) : []
}

/** Makes on both sides what conversations need. Rejects with `TargetError`. */
export async function openPair(options: ExplorationOptions, redaction: Redaction): Promise<OpenPair> {
  const { suite, profile, protocolVersion, packages, allowed, timeLimit, told } = options
  if (!allowed.has('write'))
    throw new NotPermitted(
      'allow: an exploration makes parties and contracts; say --allow write where that may be done',
    )
  const text = suite.profiles.get(textProfile) ?? profile
  const id = randomBytes(4).toString('hex')
  const given: [Side, GivenRights][] = []
  const opened: { close(): Promise<void> }[] = []
  const close = async (): Promise<void> => {
    for (const [side, rights] of given) await withdrawn(rights, side, told)
    for (const one of opened.toReversed()) await one.close()
  }
  try {
    const plan = worldPlan(resolveSuite(suite, profile, protocolVersion))
    const worldOn = (side: Side) => makeWorld(side, plan, id, async (rights) => void given.push([side, rights]))
    const target = await openSide('target', options.target, timeLimit, redaction)
    opened.push(target)
    const world = await worldOn(target)
    const version = protocolVersion ?? (await versionOf(target, world, plan))
    const { synchronizerIds } = target.discovery
    const openModel = await options.model({ protocolVersion: version, synchronizers: synchronizerIds.length })
    opened.push(openModel)
    const model = await openSide('model', openModel.target, timeLimit, redaction)
    opened.push(model)
    const worlds = { target: world, model: await worldOn(model) }
    const hindrance = await modelHindrance([target, model], packages, allowed)
    if (hindrance !== undefined) told({ kind: 'notice', sentence: `without the conformance model: ${hindrance}` })
    const stage: Stage = {
      variables: worlds.model.variables,
      external: worlds.model.external.filter((party) => worlds.target.external.includes(party)),
      hasModel: hindrance === undefined,
      hasTokens: options.target.authorization.kind === 'minted',
      actors: plan.actors.map(({ name }) => name).filter((name) => world.variables.has(`user.${name}`)),
      tokens: [...suite.tokens.values()],
      may: { topology: allowed.has('topology') },
      packages: hindrance === undefined ? packages.map(vettedPackage) : [],
    }
    const resolved = resolveSuite(suite, profile, version)
    const rulebook = rulebookOf(resolved, resolveSuite(suite, text, version), profile.name === textProfile)
    const { switches } = openModel
    return { pair: { target, model, worlds }, stage, rulebook, id, ...(switches && { switches }), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The protocol version, as a prepared transaction tells it. */
async function versionOf(side: Side, { variables, cast }: World, { actors }: WorldPlan): Promise<number | undefined> {
  const parties = ['alice', 'eve'].flatMap((name): [string, string][] => {
    const id = variables.get(name)
    return typeof id === 'string' ? [[name, id]] : []
  })
  return (await askPreparing(new Map(parties), cast, actors, side.discovery, side.as)).protocolVersion
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

const vettedPackage = ({ id, title, vetted }: ModelPackage) => {
  const [name = '', version = ''] = title.split(' ')
  return { id, name, version, isVetted: vetted }
}

async function withdrawn(rights: GivenRights, side: Side, told: ExplorationOptions['told']): Promise<void> {
  try {
    await withdrawRights(rights, side.as(side.speaker), () => true)
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    told({
      kind: 'notice',
      sentence: `${side.name}: the user ${rights.user} is left with its rights: ${error.message}`,
    })
  }
}
