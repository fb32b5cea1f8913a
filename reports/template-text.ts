import type { BodyTemplate, LateEdit, RequestTemplate, ResolvedStep } from '../record/resolved-row.js'
import { shellQuote } from './shell.js'

/** The request of a step as it stands on the wire, the body spread over lines to be read. */
export function templateLines({ request }: Pick<ResolvedStep, 'request'>): string[] {
  const { method, headers, body } = request
  return [
    `${method} ${pathText(request)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body ? readable(body).split('\n') : []),
    ...(body && 'json' in body ? (body.edits ?? []).map(editText) : []),
  ]
}

const editText = (edit: LateEdit): string =>
  'set' in edit ? `then ${edit.at} is set to ${JSON.stringify(edit.set)}` : `then ${edit.at} is taken out`

function readable(body: BodyTemplate): string {
  if ('json' in body) return JSON.stringify(body.json, null, 2)
  return 'text' in body ? body.text : `bytes, as base64: ${body.base64}`
}

/** The request of a step as a curl command, with `${variables}` where the run fills them in; the target is $TARGET, the caller's token $TOKEN. */
export function templateCurl({ request, token }: Pick<ResolvedStep, 'request' | 'token'>): string {
  const { method, headers, body } = request
  const lines = [
    `curl -sS -i -X ${method} "$TARGET"${shellQuote(pathText(request))}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...tokenLines(headers, token),
    ...(body ? [bodyText(body)] : []),
  ]
  return lines.join(' \\\n  ')
}

function tokenLines(headers: RequestTemplate['headers'], token: ResolvedStep['token']): string[] {
  if (token?.none || headers['authorization'] !== undefined) return []
  if (token?.header !== undefined) return [`-H ${shellQuote(`authorization: ${token.header}`)}`]
  return ['-H "authorization: Bearer $TOKEN"']
}

function pathText({ path, params, query }: RequestTemplate): string {
  const own = params ?? {}
  const filled = params ? path.replace(/\{(\w+)\}/g, (whole, name: string) => own[name] ?? whole) : path
  if (!query) return filled
  return `${filled}?${Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')}`
}

function bodyText(body: BodyTemplate): string {
  if ('json' in body) return `--data-raw ${shellQuote(JSON.stringify(body.json))}`
  if ('text' in body) return `--data-raw ${shellQuote(body.text)}`
  return `--data-binary @<(printf '%s' ${shellQuote(body.base64)} | base64 --decode)`
}
