/** Compares an answer with what a profile says of an outcome. */
import { isJsonObject, type JsonValue } from '../../interface/json.js'
import { valueAt } from '../template/pointer.js'
import type { Outcome } from '../suite/suite.js'
import type { Answer } from './answer.js'
import { same } from '../template/canonical.js'
import { show } from './matchers.js'

export interface Finding {
  subject: string
  pointer?: string
  expected: string
  actual: string
  met: boolean
}

/** By these a server says that it has no time now, and nothing of the request; a class of statuses does not mean them. */
const overloaded: readonly number[] = [408, 429]

const statusMatches = (wanted: readonly string[], status: number): boolean =>
  wanted.some(
    (item) =>
      item === String(status) || (item.endsWith('xx') && item[0] === String(status)[0] && !overloaded.includes(status)),
  )

/** Every member of the outcome as a finding of its own. */
export function compareOutcome(outcome: Outcome, answer: Answer): Finding[] {
  const findings: Finding[] = []
  if (outcome.status) findings.push(statusFinding(outcome.status, answer.status))
  if (outcome.mediaType !== undefined) {
    findings.push({
      subject: 'header content-type',
      expected: outcome.mediaType,
      actual: answer.mediaType ?? 'nothing',
      met: answer.mediaType === outcome.mediaType,
    })
  }
  const members: [string, JsonValue | undefined][] = [
    ['/code', outcome.code],
    ['/errorCategory', outcome.category],
    ['/grpcCodeValue', outcome.grpc],
  ]
  for (const [pointer, wanted] of members) {
    if (wanted !== undefined) findings.push(memberFinding(pointer, wanted, answer))
  }
  for (const [name, wanted] of Object.entries(outcome.context ?? {})) {
    findings.push(contextFinding(name, wanted, answer))
  }
  if (outcome.retry !== undefined) findings.push(memberFinding('/retryInfo', outcome.retry, answer))
  if (outcome.mentions !== undefined) findings.push(mentionFinding(outcome.mentions, answer))
  if (outcome.namesHash) findings.push(hashFinding(answer))
  if (outcome.resources) findings.push(resourcesFinding(outcome.resources, answer))
  return findings
}

export const statusFinding = (wanted: readonly string[], status: number): Finding => ({
  subject: 'status',
  expected: wanted.join(' or '),
  actual: String(status),
  met: statusMatches(wanted, status),
})

function memberFinding(pointer: string, wanted: JsonValue, { json }: Pick<Answer, 'json'>): Finding {
  const actual = valueAt(json, pointer)
  return { subject: 'body', pointer, expected: show(wanted), actual: show(actual), met: same(wanted, actual) }
}

function contextFinding(name: string, wanted: string | null, { json }: Answer): Finding {
  const pointer = `/context/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
  if (wanted !== null) return memberFinding(pointer, wanted, { json })
  const actual = valueAt(json, pointer)
  return { subject: 'body', pointer, expected: 'present', actual: show(actual), met: actual !== undefined }
}

const mentionFinding = (wanted: string, { text }: Pick<Answer, 'text'>): Finding => ({
  subject: 'body',
  expected: `mention of ${wanted}`,
  actual: text === '' ? 'nothing' : show(text),
  met: text.includes(wanted),
})

/** Whoever refuses a signature and says what should have been signed shows by which hash he judged. */
function hashFinding({ text, hashToSign }: Answer): Finding {
  const hash = hashToSign()
  const expected = hash === undefined ? 'mention of the hash to be signed' : `mention of the hash to be signed, ${hash}`
  return { ...mentionFinding(hash ?? '', { text }), expected, met: hash !== undefined && text.includes(hash) }
}

/** Resource kinds come bare or as `ErrorResource(KIND)`, depending on the version. */
function resourcesFinding(wanted: readonly string[], { json }: Answer): Finding {
  const found = valueAt(json, '/resources')
  const kinds = (Array.isArray(found) ? found : []).map((item) => {
    const kind = Array.isArray(item)
      ? item[0]
      : isJsonObject(item) && Object.hasOwn(item, 'type')
        ? item['type']
        : undefined
    return typeof kind === 'string' ? kind.replace(/^ErrorResource\((.*)\)$/, '$1') : '?'
  })
  return {
    subject: 'body',
    pointer: '/resources',
    expected: `resources ${wanted.join(', ')}`,
    actual: found === undefined ? 'nothing' : kinds.join(', '),
    met: Array.isArray(found) && kinds.length === wanted.length && kinds.every((kind, index) => kind === wanted[index]),
  }
}
