/** Compares answers of a live participant with those of the simulator. */
import { createHash } from 'node:crypto'
import { isJsonObject, JsonSyntaxError, type JsonValue, parseJson } from '../../../lib/json/json.js'
import type { Evidence } from '../../../record/types/record.js'

/** Members whose values are the same on each participant. */
const constant = /^(?:code|category|errorCategory|grpcCodeValue)$/

/** Keeps names, kinds and codes; ids, times, offsets and texts differ in each run. Arrays are sets of shapes. */
function shapeOfValue(value: JsonValue, name = ''): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOfValue(item, name))))].sort()
  if (isJsonObject(value)) {
    const names = Object.keys(value).sort()
    return names.map((key) => [/::1220/.test(key) ? 'party' : key, shapeOfValue(value[key] ?? null, key)])
  }
  if (value === null || typeof value === 'boolean' || constant.test(name)) return String(value)
  return typeof value === 'string' ? 'string' : 'number'
}

/** Eight hexadecimal digits, equal for answers of the same shape. */
export function answerShape({ response }: Pick<Evidence, 'response'>): string {
  const body = response?.body.text ?? ''
  const type = response?.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1].split(';')[0]
  const shape = JSON.stringify([response?.status, type ?? '', body === '' ? '' : shapeOfText(body)])
  return createHash('sha256').update(shape).digest('hex').slice(0, 8)
}

function shapeOfText(body: string): unknown {
  try {
    return shapeOfValue(parseJson(body))
  } catch (error) {
    if (error instanceof JsonSyntaxError) return 'text'
    throw error
  }
}
