/** JSON bodies of requests and answers. */
import {
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
  printJson,
} from '../../lib/json/json.js'
import type { InterceptedAnswer, InterceptedRequest } from '../../simulator/participant/interceptor.js'

export const bodyOf = ({ body }: Pick<InterceptedRequest, 'body'>): JsonObject | undefined =>
  parseObject(body.toString('utf8'))

export const answerOf = ({ text }: InterceptedAnswer): JsonObject | undefined => parseObject(text)

export const codeOf = (answer: InterceptedAnswer): JsonValue | undefined => answerOf(answer)?.['code']

export function parseObject(text: string): JsonObject | undefined {
  try {
    const found = parseJson(text)
    return isJsonObject(found) ? found : undefined
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

export const withBody = (request: InterceptedRequest, body: JsonValue): InterceptedRequest => ({
  ...request,
  body: Buffer.from(printJson(body)),
})

export const json = (status: number, answer: JsonValue): InterceptedAnswer => ({
  status,
  contentType: 'application/json',
  text: printJson(answer),
})

export const isRejection = ({ status }: InterceptedAnswer): boolean => status >= 400 && status < 500

export const isDuplicate = (answer: InterceptedAnswer): boolean =>
  ['DUPLICATE_COMMAND', 'SUBMISSION_ALREADY_IN_FLIGHT'].includes(String(codeOf(answer)))
