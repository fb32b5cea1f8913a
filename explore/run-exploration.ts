import { randomBytes } from 'node:crypto'
import { isOperationName, type OperationName, operationNames } from '../interface/operations.js'
import { Redaction } from '../lib/redaction/redaction.js'
import { reasonText } from '../reports/wording/reason-words.js'
import { TargetError } from '../runner/target/target.js'
import { summarizeAnswer } from './compare/compare-answers.js'
import { fixedSteps, runSequence } from './compare/run-sequence.js'
import { type ExploreOptions, explore } from './explore.js'
import { restoringVetting, synchronizersIn } from './generate/vetting.js'
import type { GeneratorSettings } from './generate/workloads.js'
import { contractTrial } from './histories/contract-trial.js'
import { submissionsTrial } from './histories/submissions-trial.js'
import { vettingTrial } from './histories/vetting-trial.js'
import { adaptationOf } from './judge/adapt.js'
import { signatureOf } from './judge/finding.js'
import { openWorkers } from './open-workers.js'
import { type ExplorationOptions, UnknownOperation } from './options.js'
import { caseYaml, namesOfIds } from './output/case-yaml.js'
import { curlScript } from './output/curl-script.js'
import { containsVettingChange } from './reproduction.js'
import type { ExplorationResult } from './result.js'
import type { SavedFinding } from './saved-finding.js'
import type { Environment } from './send/environment.js'
import type { Step } from './send/step.js'
import type { Worker } from './worker.js'

export interface Exploration extends ExplorationResult {
  seed: string
  profile: string
}

const usualConcurrency = 16

/** Rejects with `UnknownOperation`, `NotPermitted`, `JournalError` and `TargetError`. */
export async function runExploration(options: ExplorationOptions): Promise<Exploration> {
  const { seed = randomBytes(6).toString('hex'), profile, concurrency = usualConcurrency } = options
  const redaction = new Redaction(options.redact)
  const only = operationOf(options.only)
  const { first, further, rulebook, id, switches, outages, end, close } = await openWorkers(options, redaction)
  const { settings } = first
  let opened = 0
  const open = async (): Promise<Worker> => {
    const number = opened
    opened += 1
    const worker = number === 0 ? first : await further(number)
    return { ...worker, settings: { ...worker.settings, ...(only !== undefined && { only }) } }
  }
  const formatFinding: ExploreOptions['formatFinding'] = (finding, exchanges, { pair }) => {
    const { reference, target } = pair.environments
    const yaml = caseYaml(finding, exchanges, namesOfIds(exchanges, reference.variables), {
      requests: options.suite.requests,
      fixtures: options.suite.fixtures,
      situationOf: (exchange) => rulebook.situationOf(exchange),
      restoringSteps: () => restoringSteps(settings),
    })
    const about = exchanges.at(-1)?.step.about ?? ''
    const curl = curlScript(`${finding.id}: ${about}`, exchanges, stringsIn(target.variables), options.target.url)
    return { ...(yaml !== undefined && { yaml: redaction.clean(yaml) }), curl: redaction.clean(curl) }
  }
  try {
    const result = await explore({
      ...options,
      workers: Array.from({ length: concurrency }, () => open),
      spare: open,
      seed,
      id,
      redaction,
      rulebook,
      formatFinding,
      outages,
      end,
      ...(switches && { adaptation: adaptationOf(switches) }),
      restoringSteps: () => restoringSteps(settings),
      trials: trialsFor(settings, only),
    })
    return { ...result, seed, profile: profile.name }
  } finally {
    await close()
  }
}

function operationOf(name: string | undefined): OperationName | undefined {
  if (name === undefined) return undefined
  if (isOperationName(name)) return name
  throw new UnknownOperation(`only: unknown operation ${name}. Known operations: ${operationNames.join(', ')}`)
}

const stringsIn = (variables: Environment['variables']): Map<string, string> =>
  new Map([...variables].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])))

const trialsFor = (
  { packages, canChangeVetting }: GeneratorSettings,
  only: OperationName | undefined,
): ExploreOptions['trials'] => ({
  shared: only === undefined || only === 'submit-and-wait' ? [contractTrial, submissionsTrial] : [],
  exclusive:
    packages.length > 0 && canChangeVetting && (only === undefined || only === 'update-package-vetting')
      ? [vettingTrial(packages)]
      : [],
})

export interface Replayed {
  answers: { about: string; reference: string; target: string }[]
  /** The sides differ at the last step as before. */
  isSame: boolean
}

/** Rejects as `runExploration` does. */
export async function replay(options: ExplorationOptions, { steps, signature }: SavedFinding): Promise<Replayed> {
  const { first, id, close } = await openWorkers(options, new Redaction(options.redact))
  const { pair, settings } = first
  try {
    const run = runSequence(pair, fixedSteps(steps), `${id}r`, ({ step }) => step !== steps.at(-1))
    const { exchanges, disruption } = await run
    if (disruption !== undefined) throw new TargetError(`The finding was not repeated: ${reasonText(disruption)}.`)
    const last = exchanges.at(-1)
    if (containsVettingChange(exchanges))
      await runSequence(pair, fixedSteps(restoringSteps(settings)), `${id}p`, () => true)
    return {
      answers: exchanges.map(({ step, reference, target }) => ({
        about: step.about,
        reference: summarizeAnswer(reference),
        target: summarizeAnswer(target),
      })),
      isSame: last?.difference !== undefined && signatureOf(last.step, last.difference) === signature,
    }
  } finally {
    await close()
  }
}

/** Empty if sequences cannot change vetting. */
const restoringSteps = ({ packages, variables, canChangeVetting }: GeneratorSettings): Step[] =>
  canChangeVetting ? restoringVetting(packages, synchronizersIn(variables)).map(({ step }) => step) : []
