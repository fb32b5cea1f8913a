import type { BodyTemplate, LateEdit, RequestTemplate, ResolvedStep } from '../../record/types/resolved-row.js'
import { shellQuote } from './shell.js'

export function templateLines({ request }: ResolvedStep): string[] {
  const { method, headers, body } = request
  return [
    `${method} ${pathText(request)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body ? bodyLines(body) : []),
    ...(body && 'json' in body ? (body.edits ?? []).map((edit) => `then ${editText(edit)}`) : []),
  ]
}

const editText = (edit: LateEdit): string =>
  'set' in edit ? `set ${edit.at} to ${JSON.stringify(edit.set)}` : `remove ${edit.at}`

function bodyLines(body: BodyTemplate): string[] {
  if ('json' in body) return JSON.stringify(body.json, null, 2).split('\n')
  return 'text' in body ? body.text.split('\n') : [`bytes in base64: ${body.base64}`]
}

/**
 * For a POSIX shell. The run replaces `${variables}`; $TARGET is the base URL, $TOKEN the token of the actor. Comments
 * name changes that only a run makes.
 */
export function templateCurl({ request, token }: ResolvedStep): string {
  const { method, headers, body } = request
  const isPiped = body !== undefined && 'base64' in body
  const lines = [
    `curl -sS -i -X ${method} "$TARGET"${shellQuote(pathText(request))}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...tokenLines(headers, token),
    ...(body ? [isPiped ? '--data-binary @-' : `--data-raw ${shellQuote(bodyText(body))}`] : []),
  ]
  const command = lines.join(' \\\n  ')
  const piped = isPiped ? `printf '%s' ${shellQuote(body.base64)} | base64 --decode \\\n  | ${command}` : command
  return [...comments(request, token), piped].join('\n')
}

function comments({ body }: RequestTemplate, token: ResolvedStep['token']): string[] {
  const edits = body && 'json' in body ? (body.edits ?? []) : []
  const isChanged = token !== undefined && !token.none && token.header === undefined
  return [
    ...edits.map((edit) => `# then in the body: ${editText(edit)}`),
    ...(isChanged ? [`# $TOKEN is ${token.meaning}`] : []),
  ]
}

function tokenLines(headers: RequestTemplate['headers'], token: ResolvedStep['token']): string[] {
  if (token?.none || headers['authorization'] !== undefined) return []
  if (token?.header !== undefined) return [`-H ${shellQuote(`authorization: ${token.header}`)}`]
  return ['-H "authorization: Bearer $TOKEN"']
}

/** Values are not encoded here: the run percent-encodes them. */
function pathText({ path, query }: RequestTemplate): string {
  if (!query) return path
  return `${path}?${Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${value}`)
    .join('&')}`
}

const bodyText = (body: Exclude<BodyTemplate, { base64: string }>): string =>
  'json' in body ? JSON.stringify(body.json) : body.text
