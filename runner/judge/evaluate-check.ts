import { responseCheck } from '../../interface/description.js'
import { isOperationName } from '../../interface/operations.js'
import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import type { CheckedFact } from '../../record/types/reason.js'
import type { Check, Matcher } from '../../record/types/resolved-row.js'
import { valueAt } from '../template/pointer.js'
import type { Scope } from '../template/variables.js'
import { type Answer, isOmitted } from './answer.js'
import { evaluate } from './evaluate-matcher.js'
import { isSuccessStatus } from './sent-steps.js'
import { shown } from './unmet-members.js'

export interface Finding extends CheckedFact {
  met: boolean
}

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

function statusFinding(wanted: string[], { status, header }: Answer): Finding {
  // Redirects are not followed.
  const location = status >= 300 && status < 400 ? header('location') : undefined
  return {
    subject: 'status',
    check: 'status',
    wanted,
    found: [String(status), ...(location === undefined ? [] : [location])],
    met: statusMatches(wanted, status),
  }
}

const serverErrorFinding = (except: string[], status: number): Finding => ({
  subject: 'status',
  check: 'no-server-error',
  wanted: except,
  found: [String(status)],
  met: status < 500 || statusMatches(except, status),
})

const mediaTypeFinding = (wanted: string, { mediaType }: Answer): Finding => ({
  subject: 'header content-type',
  check: 'media-type',
  wanted: [wanted],
  found: mediaType === undefined ? [] : [mediaType],
  met: mediaType === wanted,
})

type BodyCheck = Extract<Check, { on: 'body' }>

function bodyFindings({ pointer, matcher, optional }: BodyCheck, answer: Answer, variables: Scope): Finding[] {
  const found = matched(matcher, 'body', pointer, valueAt(answer.json, pointer), variables)
  // Members of invalid JSON do not count as absent.
  const isReadable = answer.json !== undefined || (answer.isEmpty && pointer === '')
  if (!isReadable) return found.map((finding) => ({ ...finding, found: [], notJson: true, met: false }))
  if (!optional) return found
  const mayBeOmitted = isOmitted(answer.json, pointer, optional)
  return found.map(({ met, ...finding }) => ({
    ...finding,
    ...(finding.pointer === pointer && { optional: true as const }),
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
  return evaluate(matcher, actual, variables).map(({ pointer: below, ...match }) => ({
    subject,
    ...(pointer !== undefined && { pointer: `${pointer}${below}` }),
    ...match,
  }))
}

const mentionFinding = (wanted: string, { text }: Answer): Finding => ({
  subject: 'body',
  check: 'text',
  wanted: [wanted],
  found: text === '' ? [] : shown(text),
  met: text.includes(wanted),
})

function hashFinding({ text, hashToSign }: Answer): Finding {
  const hash = hashToSign()
  return {
    subject: 'body',
    check: 'hash',
    wanted: hash === undefined ? [] : [hash],
    found: text === '' ? [] : shown(text),
    met: hash !== undefined && text.includes(hash),
  }
}

/** A resource kind is `KIND` or `ErrorResource(KIND)`, depending on the version. */
function resourcesFinding(wanted: string[], { json }: Answer): Finding {
  const resources = valueAt(json, '/resources')
  const found = (Array.isArray(resources) ? resources : []).map(kindOf)
  return {
    subject: 'body',
    pointer: '/resources',
    check: 'resources',
    wanted,
    found,
    met:
      Array.isArray(resources) &&
      found.length === wanted.length &&
      found.every((kind, index) => kind === wanted[index]),
  }
}

function kindOf(item: JsonValue): string {
  const type = isJsonObject(item) && Object.hasOwn(item, 'type') ? item['type'] : undefined
  const kind = Array.isArray(item) ? item[0] : type
  return typeof kind === 'string' ? kind.replace(/^ErrorResource\((.*)\)$/, '$1') : '?'
}

function jsonFindings({ status, json }: Answer): Finding[] {
  if (!isSuccessStatus(status)) return []
  const fact: CheckedFact = { subject: 'body', check: 'json', wanted: [], found: [] }
  return [json === undefined ? { ...fact, notJson: true, met: false } : { ...fact, met: true }]
}

function shapeFindings(name: string, basis: 'text' | 'facts', { status, json }: Answer): Finding[] {
  // The JSON check reports invalid JSON.
  if (!isSuccessStatus(status) || json === undefined) return []
  if (!isOperationName(name)) throw new Error(`the interface describes no operation ${name}`)
  // The interface describes one success; its schema applies to every 2xx.
  const violations = responseCheck(name, 200, basis)(json)
  if (violations.length === 0) return [{ subject: 'body', check: 'shape', wanted: [name], found: [], met: true }]
  return violations.map(({ pointer, keyword, argument }) => ({
    subject: 'body',
    pointer,
    check: 'shape',
    wanted: [keyword, argument],
    found: shown(valueAt(json, pointer)),
    met: false,
  }))
}
