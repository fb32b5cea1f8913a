/** JSON files for `--replay`. */
import { isJsonObject, JsonSyntaxError, type JsonValue, parseJson } from '../lib/json/json.js'
import type { Finding } from './judge/finding.js'
import type { Step } from './send/step.js'

export type SavedFinding = Pick<Finding, 'id' | 'signature' | 'seed' | 'steps'>

export class SavedFindingError extends Error {
  override readonly name = 'SavedFindingError'
}

const format = 1

export const savedText = ({ id, signature, seed, steps }: SavedFinding): string =>
  `${JSON.stringify({ format, id, signature, seed, turns: steps }, undefined, 2)}\n`

/** `file`: for messages. Throws `SavedFindingError`. */
export function readSaved(text: string, file: string): SavedFinding {
  const found = parsed(text, file)
  if (!isJsonObject(found) || found['format'] !== format)
    throw new SavedFindingError(`${file}: not a finding of conform explore, format ${format}`)
  const { id, signature, seed, turns: steps } = found
  const isNamed = typeof id === 'string' && typeof signature === 'string' && typeof seed === 'string'
  if (!isNamed || !Array.isArray(steps) || steps.length === 0 || !steps.every(isStep))
    throw new SavedFindingError(
      `${file}: the finding contains no valid requests. Use the file as the exploration wrote it.`,
    )
  return { id, signature, seed, steps: JSON.parse(JSON.stringify(steps)) as Step[] } // checked by isStep
}

function parsed(text: string, file: string): JsonValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new SavedFindingError(`${file}: ${error.message}`)
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
