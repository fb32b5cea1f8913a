import { responseCheck } from '../../interface/description.js'
import { isOperationName } from '../../interface/operations.js'
import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import type { Judgement } from '../../record/types/record.js'
import type { Check, Matcher } from '../../record/types/resolved-row.js'
import { valueAt } from '../template/pointer.js'
import type { Scope } from '../template/variables.js'
import { type Answer, isOmitted } from './answer.js'
import { evaluate, show } from './matchers.js'

export type Finding = Pick<Judgement, 'subject' | 'pointer' | 'expected' | 'actual' | 'met'>

/** Empty if the check does not apply to the answer. */
export function evaluateCheck(check: Check, answer: Answer, variables: Scope): Finding[] {
  switch (check.on) {
    case 'status':
      return [statusFinding(check.oneOf, answer)]
    case 'no-server-error':
      return [serverErrorFinding(check.except, answer.status)]
    case 'media-type':
      return [mediaTypeFinding(check.equals, answer)]
    case 'header':
      return matched(check.matcher, `header ${check.name}`, undefined, answer.header(check.name), variables)
    case 'body':
      return bodyFindings(check, answer, variables)
    case 'text':
      return [mentionFinding(check.mentions, answer)]
    case 'hash':
      return [hashFinding(answer)]
    case 'resources':
      return [resourcesFinding(check.kinds, answer)]
    case 'json':
      return jsonFindings(answer)
    case 'shape':
      return shapeFindings(check.operation, check.basis, answer)
    // One answer does not decide these.
    case 'winners':
    case 'effects':
      return []
  }
}

/** The answer of an overloaded server does not concern the request, so `4xx` excludes these. */
const overloaded: readonly number[] = [408, 429]

const statusMatches = (wanted: readonly string[], status: number): boolean =>
  wanted.some(
    (item) =>
      item === String(status) || (item.endsWith('xx') && item[0] === String(status)[0] && !overloaded.includes(status)),
  )

function statusFinding(wanted: readonly string[], { status, header }: Answer): Finding {
  // Redirects are not followed.
  const location = status >= 300 && status < 400 ? header('location') : undefined
  const actual = location === undefined ? String(status) : `${status}, a redirect to ${location}`
  return { subject: 'status', expected: wanted.join(' or '), actual, met: statusMatches(wanted, status) }
}

function serverErrorFinding(except: readonly string[], status: number): Finding {
  const expected = `no server error (5xx)${except.length > 0 ? ` except ${except.join(', ')}` : ''}`
  return { subject: 'status', expected, actual: String(status), met: status < 500 || statusMatches(except, status) }
}

const mediaTypeFinding = (wanted: string, { mediaType }: Answer): Finding => ({
  subject: 'header content-type',
  expected: wanted,
  actual: mediaType ?? 'nothing',
  met: mediaType === wanted,
})

type BodyCheck = Extract<Check, { on: 'body' }>

function bodyFindings({ pointer, matcher, optional }: BodyCheck, answer: Answer, variables: Scope): Finding[] {
  const found = matched(matcher, 'body', pointer, valueAt(answer.json, pointer), variables)
  // Members of invalid JSON do not count as absent.
  const isReadable = answer.json !== undefined || (answer.isEmpty && pointer === '')
  if (!isReadable) return found.map((finding) => ({ ...finding, actual: 'invalid JSON', met: false }))
  if (!optional) return found
  const mayBeOmitted = isOmitted(answer.json, pointer, optional)
  return found.map(({ expected, met, ...finding }) => ({
    ...finding,
    expected: `${expected}, or absent`,
    met: met || mayBeOmitted,
  }))
}

function matched(
  matcher: Matcher,
  subject: string,
  pointer: string | undefined,
  actual: JsonValue | undefined,
  variables: Scope,
): Finding[] {
  return evaluate(matcher, actual, variables).map(({ expected, met }) => ({
    subject,
    ...(pointer !== undefined && { pointer }),
    expected,
    actual: show(actual),
    met,
  }))
}

const mentionFinding = (wanted: string, { text }: Pick<Answer, 'text'>): Finding => ({
  subject: 'body',
  expected: `mention of ${wanted}`,
  actual: text === '' ? 'nothing' : show(text),
  met: text.includes(wanted),
})

function hashFinding({ text, hashToSign }: Answer): Finding {
  const hash = hashToSign()
  const expected = hash === undefined ? 'mention of the hash to sign' : `mention of the hash to sign, ${hash}`
  return { ...mentionFinding(hash ?? '', { text }), expected, met: hash !== undefined && text.includes(hash) }
}

/** A resource kind is `KIND` or `ErrorResource(KIND)`, depending on the version. */
function resourcesFinding(wanted: readonly string[], { json }: Answer): Finding {
  const found = valueAt(json, '/resources')
  const kinds = (Array.isArray(found) ? found : []).map(kindOf)
  return {
    subject: 'body',
    pointer: '/resources',
    expected: `resources ${wanted.join(', ')}`,
    actual: found === undefined ? 'nothing' : kinds.join(', '),
    met: Array.isArray(found) && kinds.length === wanted.length && kinds.every((kind, index) => kind === wanted[index]),
  }
}

function kindOf(item: JsonValue): string {
  const type = isJsonObject(item) && Object.hasOwn(item, 'type') ? item['type'] : undefined
  const kind = Array.isArray(item) ? item[0] : type
  return typeof kind === 'string' ? kind.replace(/^ErrorResource\((.*)\)$/, '$1') : '?'
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300

function jsonFindings({ status, json }: Answer): Finding[] {
  if (!isSuccess(status)) return []
  const met = json !== undefined
  return [{ subject: 'body', expected: 'valid JSON', actual: met ? 'valid JSON' : 'invalid JSON', met }]
}

function shapeFindings(name: string, basis: 'text' | 'facts', { status, json }: Answer): Finding[] {
  // The JSON check reports invalid JSON.
  if (!isSuccess(status) || json === undefined) return []
  if (!isOperationName(name)) throw new Error(`the interface describes no operation ${name}`)
  const expected = `a response that matches the schema of ${name}`
  // The interface describes one success; its schema applies to every 2xx.
  const violations = responseCheck(name, 200, basis)(json)
  if (violations.length === 0) return [{ subject: 'body', expected, actual: expected, met: true }]
  return violations.map(({ pointer, message }) => ({
    subject: 'body',
    pointer,
    expected: message,
    actual: show(valueAt(json, pointer)),
    met: false,
  }))
}
