import type { Data, TokenTemplate, Writing } from '../../record/types/resolved-row.js'
import { bodyMembers, bodyOfStep, type Step } from '../send/step.js'
import type { Random } from './random.js'

type Path = readonly (string | number)[]

/** All places except inside generated values (`$sign` and others). */
export function placesIn(data: Data, path: Path = []): Path[] {
  if (typeof data !== 'object' || data === null) return [path]
  const entries: [string | number, Data][] = Array.isArray(data) ? [...data.entries()] : Object.entries(data)
  if (entries.some(([name]) => String(name).startsWith('$') && !String(name).startsWith('${'))) return [path]
  return [path, ...entries.flatMap(([name, item]) => placesIn(item, [...path, name]))]
}

export const dataAt = (data: Data, path: Path): Data | undefined =>
  path.reduce<Data | undefined>((node, name) => {
    if (typeof node !== 'object' || node === null) return undefined
    return Array.isArray(node) ? node[Number(name)] : node[name]
  }, data)

/** A copy; undefined removes the value. */
export function changedAt(
  data: Data,
  [name, ...rest]: Path,
  change: (old: Data) => Data | undefined,
): Data | undefined {
  if (name === undefined) return change(data)
  if (Array.isArray(data)) {
    return data.flatMap((item, index) => {
      const made = index === name ? changedAt(item, rest, change) : item
      return made === undefined ? [] : [made]
    })
  }
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, item]): [string, Data][] => {
      const made = key === name ? changedAt(item, rest, change) : item
      return made === undefined ? [] : [[key, made]]
    }),
  )
}

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
  const path = random.pick(placesIn(body).filter((place) => place.length > 0))
  const old = dataAt(body, path)
  const change = random.weighted<(old: Data) => Data | undefined>(
    [3, () => undefined],
    [4, () => random.pick(replacements)],
    [typeof old === 'string' ? 4 : 0, (value) => random.pick(stringChanges)(String(value))],
    [typeof old === 'number' ? 6 : 0, () => random.pick(numberReplacements)],
    [Array.isArray(old) ? 3 : 0, (value) => reordered(value, random)],
    [3, (value) => retyped(value, random)],
    [
      typeof old === 'object' && old !== null && !Array.isArray(old) ? 2 : 0,
      (value) => ({ ...Object(value), surplus: random.pick(replacements) }),
    ],
  )
  const changed = changedAt(body, path, change)
  return {
    ...step,
    about: `${step.about}; ${path.join('/')} altered`,
    request: { ...step.request, body: { json: changed ?? {} } },
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
