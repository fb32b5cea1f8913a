/** A finding in a file, by which it can be had again. */
import { isJsonObject, JsonSyntaxError, type JsonValue, parseJson } from '../lib/json/json.js'
import type { Finding } from './judge/finding.js'
import type { Turn } from './send/step.js'

/** What is needed to play it. */
export type SavedFinding = Pick<Finding, 'id' | 'signature' | 'seed' | 'turns'>

/** The file is none that an exploration wrote. */
export class SavedFindingError extends Error {
  override readonly name = 'SavedFindingError'
}

const format = 1

export const savedText = ({ id, signature, seed, turns }: SavedFinding): string =>
  `${JSON.stringify({ format, id, signature, seed, turns }, undefined, 2)}\n`

/** Throws `SavedFindingError`; `file` is how it calls the text. */
export function readSaved(text: string, file: string): SavedFinding {
  const found = parsed(text, file)
  if (!isJsonObject(found) || found['format'] !== format)
    throw new SavedFindingError(`${file}: this is no finding of conform explore, format ${format}`)
  const { id, signature, seed, turns } = found
  const isTold = typeof id === 'string' && typeof signature === 'string' && typeof seed === 'string'
  if (!isTold || !Array.isArray(turns) || turns.length === 0 || !turns.every(isTurn))
    throw new SavedFindingError(
      `${file}: the finding has no turns that could be sent; take the file as the exploration wrote it`,
    )
  return { id, signature, seed, turns: JSON.parse(JSON.stringify(turns)) as Turn[] } // just looked at
}

function parsed(text: string, file: string): JsonValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new SavedFindingError(`${file}: ${error.message}`)
    throw error
  }
}

const isTurn = (value: JsonValue): boolean =>
  isJsonObject(value) &&
  typeof value['operation'] === 'string' &&
  typeof value['actor'] === 'string' &&
  isJsonObject(value['capture']) &&
  isJsonObject(value['request']) &&
  typeof value['request']['path'] === 'string' &&
  isJsonObject(value['request']['headers'])
