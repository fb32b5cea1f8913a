/** A whole exploration: looks at both participants, makes what conversations need, has them, and takes back what it gave. */
import { randomBytes } from 'node:crypto'
import { type OperationName, operations } from '../interface/operations.js'
import { Redaction } from '../lib/redaction/redaction.js'
import { saidBy } from './compare/compare-answers.js'
import { converse, written } from './compare/run-sequence.js'
import { type ExploreOptions, explore } from './explore.js'
import type { Stage } from './generate/generator-settings.js'
import { restoringVetting } from './generate/vetting.js'
import { contractRound } from './histories/contract-trial.js'
import { submissionsRound } from './histories/submissions-trial.js'
import { vettingRound } from './histories/vetting-trial.js'
import { adaptationOf } from './judge/adapt.js'
import { signatureOf } from './judge/signature.js'
import { openLanes } from './open-workers.js'
import type { ExplorationOptions } from './options.js'
import { caseYaml, namesOfIds } from './output/case-yaml.js'
import { curlScript } from './output/curl-script.js'
import type { Explored } from './result.js'
import type { SavedFinding } from './saved-finding.js'
import type { Environment } from './send/environment.js'
import type { Turn } from './send/step.js'
import { UnknownOperation } from './unknown-operation.js'
import type { Lane } from './worker.js'

export interface Exploration extends Explored {
  seed: string
  profile: string
}

function operationOf(name: string | undefined): OperationName | undefined {
  if (name === undefined) return undefined
  if (Object.hasOwn(operations, name)) return name as OperationName // just found to be one
  throw new UnknownOperation(`only: there is no operation ${name}; known: ${Object.keys(operations).join(', ')}`)
}

const usualConcurrency = 16

/**
 * Rejects with `UnknownOperation` and `NotPermitted`, with `TargetError` where one of the two cannot be reached, or made what it
 * takes, and with `JournalError`.
 */
export async function runExploration(options: ExplorationOptions): Promise<Exploration> {
  const { seed = randomBytes(6).toString('hex'), profile, told, concurrency = usualConcurrency } = options
  const redaction = new Redaction(options.redact)
  const only = operationOf(options.only)
  const { budget, conversations, requests, most, ended, strength } = options
  const { first, further, rulebook, id, switches, close } = await openLanes(options, redaction)
  const wanted = { ...(only !== undefined && { only }), ...(strength !== undefined && { strength }) }
  const { stage } = first
  let opened = 0
  const open = async (): Promise<Lane> => {
    const number = opened
    opened += 1
    const lane = number === 0 ? first : await further(number)
    return { ...lane, stage: { ...lane.stage, ...wanted } }
  }
  try {
    const explored = await explore({
      lanes: Array.from({ length: concurrency }, () => open),
      spare: open,
      ...{ seed, id, redaction, rulebook, told },
      tell: (finding, exchanges, { pair }) => {
        const { model, target } = pair.environments
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
      ...(requests !== undefined && { requests }),
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

const textsIn = (variables: Environment['variables']): Map<string, string> =>
  new Map([...variables].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])))

/** Those that the target may be asked for, and that are about what is explored. */
const roundsFor = ({ packages, may }: Stage, only: OperationName | undefined): ExploreOptions['rounds'] => ({
  beside: only === undefined || only === 'submit-and-wait' ? [contractRound, submissionsRound] : [],
  alone:
    packages.length > 0 && may.topology && (only === undefined || only === 'update-package-vetting')
      ? [vettingRound(packages)]
      : [],
})

/** What came of playing a finding again. */
export interface Replayed {
  /** What each side said to each turn: status, media type and code. */
  said: { about: string; model: string; target: string }[]
  /** The sides differ at the last turn as they did before. */
  isSame: boolean
}

/** Plays the turns of a finding once more. Rejects with `TargetError` as an exploration does. */
export async function replay(options: ExplorationOptions, { turns, signature }: SavedFinding): Promise<Replayed> {
  const { first, id, close } = await openLanes(options, new Redaction(options.redact))
  const { pair, stage } = first
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
