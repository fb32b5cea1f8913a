import { randomBytes } from 'node:crypto'
import { isOperationName, type OperationName, operationNames } from '../interface/operations.js'
import { Redaction } from '../lib/redaction/redaction.js'
import type { Step } from '../record/types/exploration.js'
import type { Reason } from '../record/types/reason.js'
import type { RecordedOutage } from '../record/types/record.js'
import { reasonText } from '../reports/wording/reason-words.js'
import { checkModel, type ModelPackage, uploadModel } from '../runner/provision/model-packages.js'
import { probePreparation } from '../runner/provision/preparation.js'
import { resolveSuite } from '../runner/resolve/resolve-suite.js'
import { textProfile } from '../runner/suite/suite.js'
import type { Permissions } from '../runner/target/permissions.js'
import type { Target } from '../runner/target/target.js'
import { EarlyEnd } from '../runner/transport/early-end.js'
import type { Pair } from './compare/run-sequence.js'
import { valuesOf } from './generate/suite-values.js'
import { restoringVetting, synchronizersIn } from './generate/vetting.js'
import type { GeneratorSettings } from './generate/workloads.js'
import { contractTrial } from './histories/contract-trial.js'
import { submissionsTrial } from './histories/submissions-trial.js'
import type { MakeTrial } from './histories/trial.js'
import { vettingTrial } from './histories/vetting-trial.js'
import { type Adaptation, adaptationOf } from './judge/adapt.js'
import { type Rulebook, rulebookOf } from './judge/ruling.js'
import { type ExplorationOptions, NotPermitted, UnknownOperation } from './options.js'
import { Outages } from './outages.js'
import { createEnvironment, type Environment, type EnvironmentPlan, environmentPlan } from './send/environment.js'
import { openSide, type Side } from './send/side.js'
import { SideChanges } from './side-changes.js'

/** Sends one sequence after the other, with its own parties and users. */
export interface Worker {
  pair: Pair
  settings: GeneratorSettings
}

export interface OpenExploration {
  /** Rejects with `TargetError` and `JournalError`. */
  openWorker(): Promise<Worker>
  rulebook: Rulebook
  /** Absent if the reference has no switches. */
  adaptation?: Adaptation
  outages: Outages
  end: EarlyEnd
  redaction: Redaction
  /** A unique value of `${row}`, such as 0a1b2c3dr7. */
  newRow(): string
  /** Empty if sequences cannot change vetting. */
  restoringSteps: readonly Step[]
  /** Trials that run beside other sequences, or alone. */
  trials: { shared: readonly MakeTrial[]; exclusive: readonly MakeTrial[] }
  /** Restores both sides, reports what remains, and closes connections. */
  close(): Promise<void>
}

/** Milliseconds, as in a run. */
const usualPatience = 40_000

/** Rejects with `UnknownOperation`, `NotPermitted`, `TargetError` and `JournalError`. */
export async function openExploration(options: ExplorationOptions): Promise<OpenExploration> {
  const { suite, profile, protocolVersion, packages, allowed, journalFolders = {}, report } = options
  const { end = new EarlyEnd() } = options
  const only = operationOf(options.only)
  if (!allowed.has('write'))
    throw new NotPermitted('allow: an exploration creates parties and contracts. Permit it with --allow write.')
  const redaction = new Redaction(options.redact)
  const id = randomBytes(4).toString('hex')
  const changes: SideChanges[] = []
  const opened: { close(): Promise<void> }[] = []
  const close = async (): Promise<void> => {
    for (const one of changes) for (const sentence of await one.restore()) report({ kind: 'notice', sentence })
    for (const one of opened.toReversed()) await one.close()
  }
  try {
    const resolved = resolveSuite(suite, profile, protocolVersion)
    const plan = environmentPlan(resolved)
    const open = async (name: Side['name'], at: Target) => {
      const side = await openSide({
        name,
        target: at,
        timeLimit: options.timeLimit,
        patience: options.patience ?? usualPatience,
        redaction,
        end,
        report: (outage: RecordedOutage) => report({ kind: 'outage', side: name, outage }),
      })
      opened.push(side)
      const own = new SideChanges(side, id, journalFolders[name])
      changes.push(own)
      const environmentOn = (one: Side, number: number) =>
        createEnvironment(one, plan, `${id}${number || ''}`, own.recordGrant)
      return { side, changes: own, environmentOn, environment: await environmentOn(side, 0) }
    }
    const target = await open('target', options.target)
    const version = protocolVersion ?? (await versionOf(target.side, target.environment, plan))
    const { synchronizerIds } = target.side.discovery
    const openedReference = await options.openReference({
      protocolVersion: version,
      synchronizers: synchronizerIds.length,
    })
    opened.push(openedReference)
    const reference = await open('reference', openedReference.target)
    const problem = await modelProblem([target.side, reference.side], packages, allowed)
    if (problem !== undefined)
      report({ kind: 'notice', sentence: `The exploration does not use the conformance model: ${problem}` })
    const hasModel = problem === undefined
    const canChangeVetting = allowed.has('topology')
    if (hasModel && canChangeVetting)
      for (const one of [target, reference]) await one.changes.recordVetting(packages.map((each) => each.id))
    const vetted = hasModel ? packages.map(vettedPackage) : []
    const ownPackages = new Set(vetted.map((one) => one.id))
    const values = valuesOf(resolved, reference.environment.variables)
    const workerOf = (
      sides: { target: Side; reference: Side },
      environments: { target: Environment; reference: Environment },
    ): Worker => ({
      pair: { ...sides, environments, ownPackages },
      settings: {
        hasModel,
        hasTokens: options.target.authorization.kind === 'minted',
        actors: plan.actors.map(({ name }) => name).filter((name) => target.environment.variables.has(`user.${name}`)),
        tokens: [...suite.tokens.values()],
        canChangeVetting,
        packages: vetted,
        values,
        variables: environments.reference.variables,
        external: environments.reference.external.filter((party) => environments.target.external.includes(party)),
        ...(only !== undefined && { only }),
      },
    })
    const first = workerOf(
      { target: target.side, reference: reference.side },
      { target: target.environment, reference: reference.environment },
    )
    const further = async (number: number): Promise<Worker> => {
      const sides = { target: target.side.fork(), reference: reference.side.fork() }
      const [referenceEnvironment, targetEnvironment] = await Promise.all([
        reference.environmentOn(sides.reference, number),
        target.environmentOn(sides.target, number),
      ])
      return workerOf(sides, { target: targetEnvironment, reference: referenceEnvironment })
    }
    let workers = 0
    let rows = 0
    const { switches } = openedReference
    const text = suite.profiles.get(textProfile) ?? profile
    return {
      openWorker: async () => {
        const number = workers
        workers += 1
        return number === 0 ? first : further(number)
      },
      rulebook: rulebookOf({
        resolve: () => ({ suite: resolveSuite(suite, profile, version), text: resolveSuite(suite, text, version) }),
        isText: profile.name === textProfile,
      }),
      ...(switches && { adaptation: adaptationOf(switches) }),
      outages: new Outages([target.side, reference.side]),
      end,
      redaction,
      newRow: () => {
        rows += 1
        return `${id}r${rows}`
      },
      restoringSteps: canChangeVetting
        ? restoringVetting(vetted, synchronizersIn(first.settings.variables)).map(({ step }) => step)
        : [],
      trials: trialsFor(first.settings),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

function operationOf(name: string | undefined): OperationName | undefined {
  if (name === undefined || isOperationName(name)) return name
  throw new UnknownOperation(`only: unknown operation ${name}. Known operations: ${operationNames.join(', ')}`)
}

function trialsFor({ packages, canChangeVetting, only }: GeneratorSettings): OpenExploration['trials'] {
  const isVetting = only === undefined || only === 'update-package-vetting'
  return {
    shared: only === undefined || only === 'submit-and-wait' ? [contractTrial, submissionsTrial] : [],
    exclusive: isVetting && canChangeVetting && packages.length > 0 ? [vettingTrial(packages)] : [],
  }
}

/** A prepared transaction contains the protocol version. */
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

/** Why one side lacks the model packages. Uploads them if permitted. */
async function modelProblem(
  sides: readonly Side[],
  packages: readonly ModelPackage[],
  allowed: Permissions,
): Promise<string | undefined> {
  for (const side of sides) {
    // The embedded simulator needs no permission. Another participant checks its own.
    const mayUpload = side.name === 'reference' || allowed.has('upload')
    const provided = await provideModel(side, packages, mayUpload)
    if (provided !== true) return `${side.name}: ${reasonText(provided)}`
  }
  return undefined
}

async function provideModel(
  { discovery, defaultUser, as, uploadAs }: Side,
  packages: readonly ModelPackage[],
  mayUpload: boolean,
): Promise<true | Reason> {
  const state = await checkModel(packages, mayUpload ? 'permitted' : 'if-permitted', discovery, as(defaultUser))
  const isComplete = state.missing.length + state.wronglyVetted.length === 0
  const { capability } =
    state.capability === true && !isComplete
      ? (await uploadModel(packages, state, discovery, as(defaultUser), uploadAs(defaultUser))).model
      : state
  if (capability === true || 'code' in capability) return capability
  return 'hindered' in capability ? capability.hindered : capability.without
}

const vettedPackage = ({ id, title, vetted }: ModelPackage): GeneratorSettings['packages'][number] => {
  const [name = '', version = ''] = title.split(' ')
  return { id, name, version, isVetted: vetted }
}
