import type { BodyTemplate, LateEdit, RequestTemplate, ResolvedStep } from '../../record/types/resolved-row.js'
import { shellQuote } from './shell.js'

/** The request of a step as it stands on the wire, the body spread over lines to be read. */
export function templateLines({ request }: Pick<ResolvedStep, 'request'>): string[] {
  const { method, headers, body } = request
  return [
    `${method} ${pathText(request)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body ? readable(body).split('\n') : []),
    ...(body && 'json' in body ? (body.edits ?? []).map((edit) => `then ${editText(edit)}`) : []),
  ]
}

const editText = (edit: LateEdit): string =>
  'set' in edit ? `${edit.at} is set to ${JSON.stringify(edit.set)}` : `${edit.at} is taken out`

function readable(body: BodyTemplate): string {
  if ('json' in body) return JSON.stringify(body.json, null, 2)
  return 'text' in body ? body.text : `bytes, as base64: ${body.base64}`
}

/**
 * The request of a step as a curl command for a POSIX shell, with `${variables}` where the run fills them in; the target is
 * $TARGET, the caller's token $TOKEN. What only a run can work in stands in comments before it.
 */
export function templateCurl({ request, token }: Pick<ResolvedStep, 'request' | 'token'>): string {
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
    ...edits.map((edit) => `# in the body, once it is filled in: ${editText(edit)}`),
    ...(isChanged ? [`# $TOKEN is ${token.meaning}`] : []),
  ]
}

function tokenLines(headers: RequestTemplate['headers'], token: ResolvedStep['token']): string[] {
  if (token?.none || headers['authorization'] !== undefined) return []
  if (token?.header !== undefined) return [`-H ${shellQuote(`authorization: ${token.header}`)}`]
  return ['-H "authorization: Bearer $TOKEN"']
}

/** Values of parameters are percent-encoded when they are filled in. */
function pathText({ path, params, query }: RequestTemplate): string {
  const own = params ?? {}
  const filled = params ? path.replace(/\{(\w+)\}/g, (whole, name: string) => own[name] ?? whole) : path
  if (!query) return filled
  return `${filled}?${Object.entries(query)
    .map(([name, value]) => `${encodeURIComponent(name)}=${value}`)
    .join('&')}`
}

const bodyText = (body: Exclude<BodyTemplate, { base64: string }>): string =>
  'json' in body ? JSON.stringify(body.json) : body.text
