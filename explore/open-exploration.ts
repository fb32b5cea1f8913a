import { randomBytes } from 'node:crypto'
import { isOperationName, type OperationName, operationNames } from '../interface/operations.js'
import { Redaction, redactError } from '../lib/redaction/redaction.js'
import { UsageError } from '../lib/usage-error.js'
import type { Step } from '../record/types/exploration.js'
import type { Reason } from '../record/types/reason.js'
import type { RecordedConnection } from '../record/types/recorded-target.js'
import { reasonText } from '../reports/wording/reason-words.js'
import { checkModel, type ModelPackage, uploadModel } from '../runner/provision/model-packages.js'
import { probePreparation } from '../runner/provision/preparation.js'
import { resolveSuite } from '../runner/resolve/resolve-suite.js'
import { connectionOf } from '../runner/run/run-header.js'
import { textProfile } from '../runner/suite/suite.js'
import type { Permissions } from '../runner/target/permissions.js'
import { publicTextsOf, type Target } from '../runner/target/target.js'
import { EarlyEnd } from '../runner/transport/early-end.js'
import { cleanText } from './clean-found.js'
import type { Pair, Sides } from './compare/run-sequence.js'
import { valuesOf } from './generate/suite-values.js'
import { restoringVetting, synchronizersIn } from './generate/vetting.js'
import type { GeneratorSettings } from './generate/workloads.js'
import { contractTrial } from './histories/contract-trial.js'
import { submissionsTrial } from './histories/submissions-trial.js'
import type { MakeTrial } from './histories/trial.js'
import { vettingTrial } from './histories/vetting-trial.js'
import { type Adaptation, adaptationOf } from './judge/adapt.js'
import { type Rulebook, rulebookOf } from './judge/ruling.js'
import type { ExplorationOptions } from './options.js'
import { Outages } from './outages.js'
import {
  createEnvironment,
  type Environment,
  type EnvironmentPlan,
  environmentPlan,
  sharedVariables,
} from './send/environment.js'
import { openSide, type Side, type SideName } from './send/side.js'
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
  /** To the target, for printed commands. */
  connection?: RecordedConnection
  end: EarlyEnd
  /** Knows the secrets of both sides. */
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

/** Rejects with `UsageError`, `TargetError` and `JournalError`. */
export async function openExploration(options: ExplorationOptions): Promise<OpenExploration> {
  const { suite, profile, protocolVersion, packages, allowed, report, end = new EarlyEnd() } = options
  const only = operationOf(options.only)
  if (!allowed.has('write'))
    throw new UsageError('allow: an exploration creates parties and contracts. Permit it with --allow write.')
  const redaction = new Redaction(options.redact, publicTextsOf(suite))
  const notify = (sentence: string): void => report({ kind: 'notice', sentence: cleanText(sentence, redaction) })
  const id = randomBytes(4).toString('hex')
  const resolved = resolveSuite(suite, profile, protocolVersion)
  const plan = environmentPlan(resolved)
  const participants: Participant[] = []
  let closeReference = async (): Promise<void> => undefined
  const close = async (): Promise<void> => {
    try {
      for (const { changes } of participants) for (const sentence of await changes.restore()) notify(sentence)
    } finally {
      for (const { side } of participants.toReversed()) await side.close()
      await closeReference()
    }
  }
  const open = async (name: SideName, at: Target): Promise<Participant> => {
    const side = await openSide({
      name,
      target: at,
      timeLimit: options.timeLimit,
      patience: options.patience ?? usualPatience,
      redaction,
      end,
      report: (outage) => report({ kind: 'outage', side: name, outage }),
    })
    const participant = { side, changes: new SideChanges(side, id, options.journalFolders?.[name]) }
    participants.push(participant)
    return participant
  }
  const environmentOf = ({ side, changes }: Participant, number: number): Promise<Environment> =>
    createEnvironment(side, plan, `${id}${number || ''}`, changes.recordGrant)
  try {
    const target = await open('target', options.target)
    const targetEnvironment = await environmentOf(target, 0)
    const version = protocolVersion ?? (await versionOf(target.side, targetEnvironment, plan))
    const synchronizers = target.side.discovery.synchronizerIds.length
    const openedReference = await options.openReference({ protocolVersion: version, synchronizers })
    closeReference = openedReference.close
    const reference = await open('reference', openedReference.target)
    const referenceEnvironment = await environmentOf(reference, 0)
    const problem = await modelProblem([target.side, reference.side], packages, allowed)
    const hasModel = problem === undefined
    if (!hasModel) notify(`The exploration does not use the conformance model: ${problem}`)
    const canChangeVetting = allowed.has('topology')
    if (hasModel && canChangeVetting)
      for (const { changes } of participants) await changes.recordVetting(packages.map((one) => one.id))
    const vetted = hasModel ? packages.map(vettedPackage) : []
    const settings = {
      hasModel,
      hasTokens: options.target.authorization.kind === 'minted',
      actors: plan.actors.map(({ name }) => name).filter((name) => targetEnvironment.variables.has(`user.${name}`)),
      tokens: [...suite.tokens.values()],
      canChangeVetting,
      packages: vetted,
      values: valuesOf(resolved, sharedVariables(referenceEnvironment, targetEnvironment)),
      ...(only !== undefined && { only }),
    }
    const workerOn = (sides: Sides, environments: Pair['environments']): Worker => ({
      pair: { ...sides, environments, ownPackages: new Set(vetted.map((one) => one.id)) },
      settings: {
        ...settings,
        variables: sharedVariables(environments.reference, environments.target),
        external: environments.reference.external.filter((party) => environments.target.external.includes(party)),
      },
    })
    const first = workerOn(
      { target: target.side, reference: reference.side },
      { target: targetEnvironment, reference: referenceEnvironment },
    )
    const further = async (number: number): Promise<Worker> => {
      const sides = { target: target.side.fork(), reference: reference.side.fork() }
      const [ours, theirs] = await Promise.all([
        environmentOf({ ...reference, side: sides.reference }, number),
        environmentOf({ ...target, side: sides.target }, number),
      ])
      return workerOn(sides, { target: theirs, reference: ours })
    }
    const { switches } = openedReference
    const text = suite.profiles.get(textProfile) ?? profile
    let workers = 0
    let rows = 0
    return {
      openWorker: async () => {
        workers += 1
        return workers === 1 ? first : further(workers - 1)
      },
      rulebook: rulebookOf({
        resolve: () => ({ suite: resolveSuite(suite, profile, version), text: resolveSuite(suite, text, version) }),
        isText: profile.name === textProfile,
      }),
      ...(switches && { adaptation: adaptationOf(switches) }),
      outages: new Outages([target.side, reference.side]),
      ...connectionOf(options.target),
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
    throw redactError(error, redaction)
  }
}

interface Participant {
  side: Side
  changes: SideChanges
}

function operationOf(name: string | undefined): OperationName | undefined {
  if (name === undefined || isOperationName(name)) return name
  throw new UsageError(`only: unknown operation ${name}. Known operations: ${operationNames.join(', ')}`)
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
