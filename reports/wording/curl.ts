import type { Evidence, RecordedBody, RunHeader, StepReference } from '../../record/types/record.js'
import type { RecordedConnection } from '../../record/types/recorded-target.js'
import type { StepHead, TokenTemplate } from '../../record/types/resolved-row.js'
import { hasInvisible, visibleLine } from './hostile-text.js'
import { shellQuote, shellWord, tokenCommand } from './shell.js'
import { count } from './words.js'

/** Linux limits an argument to 131,072 bytes, but not the shell builtin printf. */
const longestArgument = 100_000

/** Headers that curl sets itself. */
const implied = new Set(['host', 'connection', 'transfer-encoding'])

/** Of the step that sent the request. */
export interface Sender {
  header: RunHeader
  configuration?: number | undefined
  actor: string
  token?: TokenTemplate | undefined
}

/** Undefined for requests outside the steps. */
export const senderOf = (
  { step, role }: StepReference,
  steps: readonly StepHead[],
  header: RunHeader,
  configuration: number | undefined,
): Sender | undefined => {
  const sent = role === 'late-check' ? undefined : steps[step]
  return sent && { header, configuration, actor: sent.actor, token: sent.token }
}

/**
 * For a POSIX shell. The first lines name the actor and set $TOKEN, which replaces the bearer token. A comment names
 * parts that curl cannot send.
 */
export function curlCommand(
  evidence: Evidence,
  sender?: Sender,
  connection: RecordedConnection | undefined = sender?.header.target.connection,
): string {
  const { method, url, headers, body } = evidence.request
  if (isUnsent(evidence)) return '# The run did not send this request, so the record does not contain its parts.'
  const isLiteral = sender?.token?.header !== undefined || sender?.token?.none === true
  const sent = headers.filter(([name, value]) => isSendable(name) && !isImplied(name, value, body))
  const unsendable = headers.filter(([name]) => !isSendable(name)).length
  const piped = body !== undefined && needsPipe(body)
  const lines = [`curl -sS -i${flagsFor(url)}${connectionFlags(connection)} ${methodOption(method)} ${urlOption(url)}`]
  for (const [name, value] of sent)
    lines.push(`-H ${configuredHeader(name, connection?.headers) ?? headerArgument(name, value, isLiteral)}`)
  if (body && !headers.some(([name]) => name.toLowerCase() === 'content-type')) lines.push("-H 'Content-Type:'")
  if (body) lines.push(piped ? '--data-binary @-' : `--data-raw ${shellQuote(body.text ?? '')}`)
  const command = lines.join(' \\\n  ')
  return [
    ...(sender ? senderLines(sender, isLiteral) : []),
    ...comments(body, unsendable),
    piped ? `${pipe(body)} \\\n  | ${command}` : command,
  ].join('\n')
}

/** A transport records the whole URL of each request that it sends. */
const isUnsent = ({ request: { url }, problem }: Evidence): boolean =>
  problem !== undefined && (url === '' || url.startsWith('/'))

/** The target file names the credentials of later configurations. The embedded simulator has ended. */
function senderLines({ header, configuration = 1, actor, token }: Sender, isLiteral: boolean): string[] {
  const { callers = [], target, options } = header
  const isFirst = configuration === 1
  const caller = isFirst ? callers.find((one) => one.actor === actor) : undefined
  const name = caller && caller.user !== actor ? `${actor}, user ${caller.user}` : actor
  const lines = [`# actor ${visibleLine(name)}${token ? `, ${visibleLine(token.meaning)}` : ''}`]
  if (isLiteral || !isFirst || target.embedded || target.authorization === 'none') return lines
  if (caller?.made && options?.keepUsers !== true)
    lines.push('# The run deactivated this user at its end. A run with --keep-users keeps it active.')
  return [...lines, `TOKEN=$(${tokenCommand(actor, caller?.user, token?.name, header)})`]
}

function comments(body: RecordedBody | undefined, unsendable: number): string[] {
  const lines: string[] = []
  if (unsendable > 0)
    lines.push(`# omitted: ${count(unsendable, 'header')} with an illegal name, which curl cannot send`)
  if (body?.cut) lines.push(`# incomplete: the record contains only the first part of the body of ${body.bytes} bytes`)
  return lines
}

function methodOption(method: string): string {
  // With -X HEAD curl waits for a body.
  return method === 'HEAD' ? '--head' : `-X ${shellWord(method)}`
}

function urlOption(url: string): string {
  return /^https?:\/\//i.test(url) ? shellQuote(url) : `--url ${shellQuote(url)}`
}

/** By default curl expands brackets and resolves dots. */
function flagsFor(url: string): string {
  return `${/[[\]{}]/.test(url) ? ' --globoff' : ''}${/\/\.{1,2}(\/|$|\?)/.test(url) ? ' --path-as-is' : ''}`
}

/** The record contains neither paths of certificates nor values of configured headers. */
function connectionFlags({ insecure, ca, clientCertificate }: RecordedConnection = {}): string {
  return [
    insecure ? ' --insecure' : '',
    ca ? ` --cacert ${variable('CA', 'the file of the setting ca')}` : '',
    clientCertificate ? ` --cert ${variable('CLIENT_CERTIFICATE', 'the file of the client certificate')}` : '',
    clientCertificate ? ` --key ${variable('CLIENT_KEY', 'the file of the client key')}` : '',
  ].join('')
}

/** The settings file of the run has the same name for the value. */
function configuredHeader(name: string, configured: readonly string[] = []): string | undefined {
  const index = configured.findIndex((one) => one.toLowerCase() === name.toLowerCase())
  return index === -1
    ? undefined
    : `${shellQuote(`${name}: `)}${variable(`HEADER_${index + 1}`, 'the value of this header')}`
}

/** The shell prints the words after `:?` if the variable is unset. */
const variable = (name: string, meaning: string): string => `"\${${name}:?set it to ${meaning}}"`

function isSendable(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name)
}

function isImplied(name: string, value: string, body: RecordedBody | undefined): boolean {
  const lower = name.toLowerCase()
  return implied.has(lower) || (lower === 'content-length' && value === String(body?.bytes ?? 0))
}

function headerArgument(name: string, value: string, isLiteral: boolean): string {
  if (!isLiteral && name.toLowerCase() === 'authorization') return authorizationArgument(name, value)
  // `Name:` removes a header, `Name;` sends an empty one.
  return shellQuote(value === '' ? `${name};` : `${name}: ${value}`)
}

/** Rows test other schemes, and schemes without a token; these headers stay as recorded. */
function authorizationArgument(name: string, value: string): string {
  const [, scheme, gap] = /^([a-z][a-z0-9-]*)([ \t]+)\S/i.exec(value) ?? []
  const bare = value === '' || /^(bearer|basic|digest)[ \t]*$/i.test(value)
  if (bare || (scheme !== undefined && scheme.toLowerCase() !== 'bearer')) {
    return shellQuote(value === '' ? `${name};` : `${name}: ${value}`)
  }
  return `"${name}: ${scheme ?? 'Bearer'}${gap ?? ' '}$TOKEN"`
}

function needsPipe(body: RecordedBody): boolean {
  return body.text === undefined || hasInvisible(body.text) || byteLength(body.text) > longestArgument
}

function pipe(body: RecordedBody): string {
  if (body.text !== undefined && !hasInvisible(body.text)) return `printf '%s' ${shellQuote(body.text)}`
  const base64 = body.base64 ?? base64Of(body.text ?? '')
  return `printf '%s' ${shellWord(base64)} | base64 --decode`
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length

/** The HTML page has no Buffer. */
function base64Of(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}
