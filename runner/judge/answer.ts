import { JsonSyntaxError, type JsonValue, parseJson } from '../../interface/json.js'
import type { Evidence } from '../../record/record.js'

/** An answer as the judge sees it: from evidence alone. */
export interface Answer {
  status: number
  header(name: string): string | undefined
  /** Media type without parameters, in lower case. */
  mediaType: string | undefined
  /** The parsed body; undefined where there is none, or none that is JSON and complete. */
  json: JsonValue | undefined
}

/** Undefined: there was no complete answer. */
export function answerOf({ response }: Evidence): Answer | undefined {
  if (!response) return undefined
  const header = (name: string): string | undefined =>
    response.headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  const mediaType = header('content-type')?.split(';')[0]?.trim().toLowerCase()
  return { status: response.status, header, mediaType, json: response.body.cut ? undefined : parse(response.body.text) }
}

function parse(text: string | undefined): JsonValue | undefined {
  try {
    return text === undefined || text === '' ? undefined : parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}
