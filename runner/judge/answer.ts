import { JsonSyntaxError, type JsonValue, parseJson } from '../../lib/json/json.js'
import type { Evidence, RecordedBody } from '../../record/types/record.js'
import { preparedHash, schemeNamed } from '../sign/prepared-hash.js'
import { valueAt } from '../template/pointer.js'

/** An answer as the judge sees it: from evidence alone. */
export interface Answer {
  status: number
  /** Several headers of one name are one list, joined by commas. */
  header(name: string): string | undefined
  /** Media type without parameters, in lower case; different ones joined by commas. */
  readonly mediaType: string | undefined
  /** The parsed body; undefined where there is none, or none that is JSON. Not to be altered: whoever asks again gets the same. */
  readonly json: JsonValue | undefined
  /** The body as it came; empty where it is no text. */
  text: string
  /** There is no body at all. */
  isEmpty: boolean
  /** The hash (hex) of the prepared transaction that was sent, by the scheme that was named; undefined where none was sent. */
  hashToSign(): string | undefined
}

/** Undefined: there was no complete answer, or evidence does not hold it completely. */
export function answerOf({ request, response, problem }: Evidence): Answer | undefined {
  if (!response || problem || response.body.cut) return undefined
  const { status, headers, body } = response
  const all = (name: string): string[] =>
    headers.flatMap(([key, value]) => (key.toLowerCase() === name.toLowerCase() ? [value] : []))
  return {
    status,
    header: (name) => joined(all(name)),
    get mediaType() {
      return joined([...new Set(all('content-type').map((value) => value.replace(/;.*$/s, '').trim().toLowerCase()))])
    },
    get json() {
      return parsed(body)
    },
    text: body.text ?? '',
    isEmpty: body.bytes === 0,
    hashToSign: () => hashOf(request.body && parsed(request.body)),
  }
}

function hashOf(sent: JsonValue | undefined): string | undefined {
  const prepared = valueAt(sent, '/preparedTransaction')
  const name = valueAt(sent, '/hashingSchemeVersion')
  const scheme = typeof name === 'string' ? schemeNamed(name.replace(/^HASHING_SCHEME_VERSION_/, '')) : undefined
  if (typeof prepared !== 'string' || scheme === undefined) return undefined
  const hash = preparedHash(prepared, scheme)
  return hash && Buffer.from(hash, 'base64').toString('hex')
}

const joined = (values: readonly string[]): string | undefined => (values.length > 0 ? values.join(', ') : undefined)

/** What bodies say, for as long as somebody has them: steps, probes and every expectation ask for the same. */
const known = new WeakMap<RecordedBody, { json: JsonValue | undefined }>()
/** Longer ones, in bytes, are parsed again each time: rows are held until the late look, and values take far more than their text. */
const longestKept = 64 * 1024

function parsed(body: RecordedBody): JsonValue | undefined {
  const found = known.get(body)
  if (found) return found.json
  const json = parse(body.text)
  if (body.bytes <= longestKept) known.set(body, { json })
  return json
}

function parse(text: string | undefined): JsonValue | undefined {
  try {
    return text === undefined || text === '' ? undefined : parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}
