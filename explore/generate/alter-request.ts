import { pointerPart } from '../../lib/json/pointer.js'
import type { Data, TokenTemplate, Writing } from '../../record/types/resolved-row.js'
import { removeAt, setAt } from '../../runner/template/pointer.js'
import { bodyMembers, bodyOfStep, type Step } from '../send/step.js'
import type { Random } from './random.js'

interface Place {
  /** A JSON pointer. */
  pointer: string
  value: Data
}

/** All places in the data, except inside generated values (`$sign` and others). */
export function placesIn(data: Data, pointer = ''): Place[] {
  if (typeof data !== 'object' || data === null) return []
  const entries = Object.entries(data)
  if (entries.some(([name]) => name.startsWith('$') && !name.startsWith('${'))) return []
  return entries.flatMap(([name, value]) => {
    const place = { pointer: `${pointer}/${pointerPart(name)}`, value }
    return [place, ...placesIn(value, place.pointer)]
  })
}

/** A copy; undefined removes the value. */
export const replacedAt = (data: Data, pointer: string, value: Data | undefined): Data =>
  value === undefined ? removeAt(data, pointer) : setAt(data, pointer, value)

const replacements: readonly Data[] = [null, 0, 7, -1, true, '', 'x', [], {}, [{}], [null], { x: 1 }]

const numberReplacements: readonly Data[] = [
  ...[-1, 0, 1, 2147483647, '2147483648', '9223372036854775807', '9223372036854775808', '1.5', '3.0', '1e2'].map(
    (value) => (typeof value === 'number' ? value : { $number: value }),
  ),
  ...['3', 'three'],
]

const stringChanges: readonly ((text: string) => Data)[] = [
  (text) => `${text} `,
  (text) => ` ${text}`,
  (text) => `${text}!`,
  (text) => `${text}ü`,
  (text) => `${text}\u0000`,
  (text) => (text.startsWith('$') ? { '$flip-digit': text } : text.slice(1)),
  (text) => (text.startsWith('$') ? { '$upper-case': text } : text.slice(0, -1)),
  (text) => `${text}:x`,
  () => 'x'.repeat(255),
  () => 'x'.repeat(256),
  () => 'a/b:c_d-e.f#g h',
]

const executionOptions = 'userId deduplicationPeriod minLedgerTime transactionFormat submissionId'

/** The altered request may lack them. */
const optionalMembers: Readonly<Record<string, string>> = {
  'contract-by-id': 'queryingParties',
  'submit-and-wait':
    'userId readAs workflowId deduplicationPeriod minLedgerTimeAbs minLedgerTimeRel submissionId disclosedContracts ' +
    'synchronizerId packageIdSelectionPreference prefetchContractKeys tapsMaxPasses',
  'execute-and-wait-for-transaction': executionOptions,
  execute: executionOptions,
  'update-package-vetting': 'dryRun synchronizerId expectedTopologySerial updateVettedPackagesForceFlags',
}

function withMember(step: Step, name: string, value: Data): Step {
  const json = { ...bodyMembers(step), [name]: value }
  return { ...step, about: `${step.about}; ${name} altered`, request: { ...step.request, body: { json } } }
}

export function alterField(step: Step, random: Random): Step {
  const body = bodyOfStep(step)
  if (body === undefined) return step
  const optional = optionalMembers[step.operation]?.split(' ') ?? []
  if (optional.length > 0 && random.chance(0.3))
    return withMember(step, random.pick(optional), random.pick(replacements))
  const { pointer, value } = random.pick(placesIn(body))
  const change = random.weighted<() => Data | undefined>(
    [3, () => undefined],
    [4, () => random.pick(replacements)],
    [typeof value === 'string' ? 4 : 0, () => random.pick(stringChanges)(String(value))],
    [typeof value === 'number' ? 6 : 0, () => random.pick(numberReplacements)],
    [Array.isArray(value) ? 3 : 0, () => reordered(value, random)],
    [3, () => retyped(value, random)],
    [
      typeof value === 'object' && value !== null && !Array.isArray(value) ? 2 : 0,
      () => ({ ...Object(value), surplus: random.pick(replacements) }),
    ],
  )
  return {
    ...step,
    about: `${step.about}; ${pointer.slice(1)} altered`,
    request: { ...step.request, body: { json: replacedAt(body, pointer, change()) } },
  }
}

function retyped(value: Data, random: Random): Data {
  if (Array.isArray(value)) return value.length > 0 ? random.pick(value) : {}
  if (typeof value === 'object' && value !== null) return random.chance(0.5) ? [value] : JSON.stringify(value)
  return random.chance(0.5) ? [value] : typeof value === 'string' ? { value } : String(value)
}

function reordered(value: Data, random: Random): Data {
  const items = Array.isArray(value) ? value : []
  return random.pick([
    [...items].reverse(),
    [...items, ...items],
    [],
    [...items, random.pick(replacements)],
    items.slice(1),
  ])
}

const writings: readonly Writing[] = [
  ...(['utf-16', 'gzip', 'truncated', 'followed', 'trailing-comma', 'comment', 'single-quotes'] as const),
]
const bodies: readonly string[] = ['', 'null', '[]', '""', '0', '{', '{}', 'x', '\uFEFF{}', '{"a":1}{"b":2}']
const methods: readonly string[] = ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']
const acceptHeaders: readonly string[] = [
  ...['text/plain', '*/*', 'application/*', 'application/json;q=0', 'nonsense', 'text/html, application/json'],
]
const contentTypes: readonly string[] = ['text/plain', 'application/json; charset=utf-8', 'application/xml', '']

const pathsLike = (path: string): string[] => [
  ...[`${path}/`, `/${path}`, path.toUpperCase(), `${path}/x`, `${path}?x=1`],
  ...[path.replace('v2', 'v1'), path.replace('/v2', '')],
]

/** Changes method, path, headers, encoding or JSON syntax. */
export function alterForm(step: Step, random: Random): Step {
  const { request } = step
  const { body, headers, path } = request
  const json = body && 'json' in body ? body.json : {}
  const withMethod = () => ({ method: random.pick(methods) })
  const changes = random.pick<() => Partial<Step['request']>>([
    // Twice, because requests have many possible methods.
    withMethod,
    withMethod,
    () => ({ path: random.pick(pathsLike(path)) }),
    () => ({ headers: { ...headers, accept: random.pick(acceptHeaders) } }),
    () => ({ headers: { ...headers, 'content-type': random.pick(contentTypes) } }),
    () => ({
      headers: Object.fromEntries(
        Object.entries(headers).filter(([name]) => name !== random.pick(['accept', 'content-type'])),
      ),
    }),
    () => ({ body: { text: random.pick(bodies) } }),
    () => ({ body: { json, written: random.pick(writings) } }),
    () => ({ path: path.replace('/v2', random.pick(['', '/v1', '/v3'])) }),
    () => ({ wire: { chunked: true } }),
    () => ({ wire: { version: '1.0' } }),
    () => ({ body: { text: withDuplicateMember(json, random) } }),
  ])()
  return { ...step, about: `${step.about}; form altered`, request: { ...request, ...changes } }
}

function withDuplicateMember(json: Data, random: Random): string {
  const text = JSON.stringify(json)
  const names = typeof json === 'object' && json !== null ? Object.keys(json) : []
  if (names.length === 0) return text
  const member = `${JSON.stringify(random.pick(names))}:${JSON.stringify(random.pick(replacements))}`
  return random.chance(0.5) ? `{${member},${text.slice(1)}` : `${text.slice(0, -1)},${member}}`
}

export function alterCaller(
  step: Step,
  random: Random,
  actors: readonly string[],
  tokens: readonly TokenTemplate[],
): Step {
  if (tokens.length > 0 && random.chance(0.4)) {
    const token = random.pick(tokens)
    return { ...step, about: `${step.about}; with ${token.meaning}`, token }
  }
  const actor = random.pick(actors)
  return { ...step, about: `${step.about}; as ${actor}`, actor }
}
