import { preparedHash } from '../../interface/prepared-transaction/hash.js'
import { schemeNamed } from '../../interface/prepared-transaction/hash-encoding.js'
import { JsonSyntaxError, type JsonValue, parseJson } from '../../lib/json/json.js'
import { cachedBy, once } from '../../lib/made-once.js'
import type { Evidence, RecordedBody } from '../../record/types/record.js'
import { stringAt, valueAt } from '../template/pointer.js'

export interface Answer {
  status: number
  /** Joined by commas. */
  header(name: string): string | undefined
  /** Without parameters, in lower case. */
  readonly mediaType: string | undefined
  /** Undefined if the body is not JSON. Callers share it and must not modify it. */
  readonly json: JsonValue | undefined
  /** Empty if the body is not UTF-8. */
  text: string
  isEmpty: boolean
  /** Hash (hex) of the prepared transaction in the request. */
  hashToSign(): string | undefined
}

/** Undefined without a complete answer. */
export function answerOf({ request, response, problem }: Evidence): Answer | undefined {
  if (!response || problem || response.body.cut) return undefined
  const { status, headers, body } = response
  const all = (name: string): string[] =>
    headers.flatMap(([key, value]) => (key.toLowerCase() === name.toLowerCase() ? [value] : []))
  // Also for a body that no cache keeps.
  const json = once(() => parseBody(body))
  return {
    status,
    header: (name) => join(all(name)),
    get mediaType() {
      return join([...new Set(all('content-type').map((value) => value.replace(/;.*$/s, '').trim().toLowerCase()))])
    },
    get json() {
      return json()
    },
    text: body.text ?? '',
    isEmpty: body.bytes === 0,
    hashToSign: () => hashOf(request.body && parseBody(request.body)),
  }
}

/** Undefined if the request has no JSON body, or if only its beginning is recorded. */
export const sentJson = ({ request: { body } }: Evidence): JsonValue | undefined =>
  body && !body.cut ? parseBody(body) : undefined

function hashOf(sent: JsonValue | undefined): string | undefined {
  const prepared = stringAt(sent, '/preparedTransaction')
  const scheme = schemeNamed(stringAt(sent, '/hashingSchemeVersion')?.replace(/^HASHING_SCHEME_VERSION_/, ''))
  if (prepared === undefined || scheme === undefined) return undefined
  const hash = preparedHash(prepared, scheme)
  return hash && Buffer.from(hash, 'base64').toString('hex')
}

const join = (values: readonly string[]): string | undefined => (values.length > 0 ? values.join(', ') : undefined)

/** Bytes. Parsed values use far more memory, and rows wait for the late-effects check. */
const maxCachedBytes = 64 * 1024

/** Steps, probes and expectations read the same bodies. */
const parsedOnce = cachedBy((body: RecordedBody) => parse(body.text))

const parseBody = (body: RecordedBody): JsonValue | undefined =>
  body.bytes <= maxCachedBytes ? parsedOnce(body) : parse(body.text)

function parse(text: string | undefined): JsonValue | undefined {
  try {
    return text === undefined || text === '' ? undefined : parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

/** A missing array item is no omission. */
export function isOmitted(body: JsonValue | undefined, pointer: string, optional: readonly string[]): boolean {
  let path = ''
  for (const part of pointer.split('/').slice(1)) {
    path += `/${part}`
    if ((valueAt(body, path) ?? null) === null) return optional.includes(path)
  }
  return false
}
