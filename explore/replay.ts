/** Sends a saved finding again. */
import { isJsonObject, JsonSyntaxError, type JsonValue, parseJson } from '../lib/json/json.js'
import { redactError } from '../lib/redaction/redaction.js'
import { UsageError } from '../lib/usage-error.js'
import type { Step } from '../record/types/exploration.js'
import { reasonText } from '../reports/wording/reason-words.js'
import { TargetError } from '../runner/target/target.js'
import { cleanName } from './clean-found.js'
import { summarizeAnswer } from './compare/compare-answers.js'
import { fixedSteps, runSequence } from './compare/run-sequence.js'
import { openExploration } from './open-exploration.js'
import type { ExplorationOptions } from './options.js'
import { containsVettingChange, restoreVetting } from './reproduction.js'

export interface Replayed {
  answers: { about: string; reference: string; target: string }[]
  /** The sides differ at the last step as before. */
  isSame: boolean
  /** Of the difference at the last step. Empty: the whole answer. */
  pointer?: string
}

/** Rejects as `explore` does. */
export async function replay(options: ExplorationOptions, { steps, signature }: SavedFinding): Promise<Replayed> {
  const opened = await openExploration(options)
  const clean = (text: string): string => cleanName(text, opened.redaction)
  try {
    const worker = await opened.openWorker()
    const isLast = (step: Step): boolean => step === steps.at(-1)
    const { exchanges, disruption } = await runSequence(
      worker.pair,
      fixedSteps(steps),
      opened.newRow(),
      ({ step }) => !isLast(step),
    )
    if (disruption !== undefined) throw new TargetError(`The finding was not repeated: ${reasonText(disruption)}.`)
    if (containsVettingChange(exchanges)) await restoreVetting(worker, opened)
    const { difference } = exchanges.at(-1) ?? {}
    return {
      answers: exchanges.map(({ step, reference, target }) => ({
        about: step.about,
        reference: clean(summarizeAnswer(reference)),
        target: clean(summarizeAnswer(target)),
      })),
      isSame: difference !== undefined && clean(difference.signature) === clean(signature),
      ...(difference && { pointer: clean(difference.pointer) }),
    }
  } catch (error) {
    throw redactError(error, opened.redaction)
  } finally {
    await opened.close()
  }
}

export interface SavedFinding {
  id: string
  signature: string
  seed: string
  /** The sides differ at the last step. */
  steps: readonly Step[]
}

const format = 1

export const savedText = ({ id, signature, seed, steps }: SavedFinding): string =>
  `${JSON.stringify({ format, id, signature, seed, turns: steps }, undefined, 2)}\n`

/** `file`: for messages. Throws `UsageError`. */
export function readSaved(text: string, file: string): SavedFinding {
  const found = parsed(text, file)
  if (!isJsonObject(found) || found['format'] !== format)
    throw new UsageError(`${file}: not a finding of conform explore, format ${format}`)
  const { id, signature, seed, turns: steps } = found
  const isNamed = typeof id === 'string' && typeof signature === 'string' && typeof seed === 'string'
  if (!isNamed || !Array.isArray(steps) || steps.length === 0 || !steps.every(isStep))
    throw new UsageError(`${file}: the finding contains no valid requests. Use the file as the exploration wrote it.`)
  return { id, signature, seed, steps: JSON.parse(JSON.stringify(steps)) as Step[] } // checked by isStep
}

function parsed(text: string, file: string): JsonValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError)
      throw new UsageError(`${file}: not a finding of conform explore, such as F1.json (${error.message})`)
    throw error
  }
}

const isStep = (value: JsonValue): boolean =>
  isJsonObject(value) &&
  typeof value['operation'] === 'string' &&
  typeof value['actor'] === 'string' &&
  isJsonObject(value['capture']) &&
  isJsonObject(value['request']) &&
  typeof value['request']['path'] === 'string' &&
  isJsonObject(value['request']['headers'])
