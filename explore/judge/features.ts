/** Features match a random request with rows of the suite. */
import type { Data, RequestTemplate } from '../../record/types/resolved-row.js'
import { placeOf } from './finding.js'

export interface Featured {
  operation: string
  actor: string
  token?: { name: string }
  request: RequestTemplate
}

/** Features of all these requests. `members`: known members of the body. */
export function featuresWith(before: readonly Featured[], last: Featured, members: Iterable<string>): Set<string> {
  const earlier = before.flatMap((one) =>
    [...featuresOf(one, [])].map((feature) => `before: ${one.operation} ${feature}`),
  )
  return new Set([...earlier, ...featuresOf(last, members)])
}

function featuresOf({ actor, token, request }: Featured, members: Iterable<string>): Set<string> {
  const { method, path, query, headers, body, wire } = request
  const found = new Set([`actor ${actor}`, `${writes.has(method) ? 'PUT' : method} ${path}`])
  if (token) found.add(`token ${token.name}`)
  for (const [name, value] of Object.entries(query ?? {})) found.add(`query ${name}=${value}`)
  for (const [name, value] of Object.entries(headers)) found.add(`header ${name}=${value}`)
  for (const [name, value] of Object.entries(wire ?? {})) found.add(`wire ${name}=${JSON.stringify(value)}`)
  if (body && !('base64' in body) && body.written) found.add(`written ${body.written}`)
  if (!body) return found.add('no body')
  if (!('json' in body))
    return found.add('text' in body ? `text body ${withoutVariables(body.text)}` : `body ${body.base64}`)
  addValue(body.json, '', found)
  for (const name of members) if (!found.has(presenceOf(`/${name}`))) found.add(`/${name} absent`)
  for (const edit of body.edits ?? [])
    if ('set' in edit) addValue(edit.set, placeOf(edit.at), found)
    else found.add(`${placeOf(edit.at)} absent`)
  return found
}

export function membersIn({ body }: RequestTemplate): string[] {
  const json = body && 'json' in body ? body.json : undefined
  return isObject(json) ? Object.keys(json) : []
}

/** Wrong methods are one feature. */
const writes: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE'])

const presenceOf = (place: string): string => `${place} present`

function addValue(value: Data, place: string, found: Set<string>): void {
  found.add(presenceOf(place))
  found.add(`${place} ${kindOf(value)}`)
  if (Array.isArray(value)) {
    for (const item of value) addValue(item, `${place}/*`, found)
    if (new Set(value.map((item) => JSON.stringify(item))).size < value.length) found.add(`${place} has duplicates`)
  } else if (isObject(value))
    for (const [name, member] of Object.entries(value)) addValue(member, `${place}/${name}`, found)
  else found.add(`${place}=${withoutVariables(String(value))}`)
}

const withoutVariables = (text: string): string => text.replace(/\$\{[^}]*\}/g, '$')

function kindOf(value: Data): string {
  if (value === null) return 'null'
  if (value === '') return 'empty string'
  if (Array.isArray(value)) return value.length > 0 ? 'array' : 'empty array'
  return isObject(value) && Object.keys(value).length === 0 ? 'empty object' : typeof value
}

const isObject = (value: Data | undefined): value is { [name: string]: Data } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
