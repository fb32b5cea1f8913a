/** Recorded requests as curl commands. */
import type { Evidence, RecordedBody } from '../../record/types/record.js'
import { hasInvisible } from './hostile-text.js'
import { shellQuote, shellWord } from './shell.js'
import { count } from './words.js'

/** Linux limits an argument to 131,072 bytes; the shell builtin printf has no limit. */
const longestArgument = 100_000

/** Headers that curl sets itself. */
const implied = new Set(['host', 'connection', 'transfer-encoding'])

/**
 * A command of several lines for a POSIX shell. $TOKEN replaces the bearer token, which no record contains. A comment names
 * what curl cannot send.
 */
export function curlCommand({ request }: Evidence): string {
  const { method, url, headers, body } = request
  const sent = headers.filter(([name, value]) => isSendable(name) && !isImplied(name, value, body))
  const unsendable = headers.filter(([name]) => !isSendable(name)).length
  const piped = body !== undefined && needsPipe(body)
  const lines = [`curl -sS -i${flagsFor(url)} ${methodOption(method)} ${urlOption(url)}`]
  for (const [name, value] of sent) lines.push(`-H ${headerArgument(name, value)}`)
  if (body && !headers.some(([name]) => name.toLowerCase() === 'content-type')) lines.push("-H 'Content-Type:'")
  if (body) lines.push(piped ? '--data-binary @-' : `--data-raw ${shellQuote(body.text ?? '')}`)
  const command = lines.join(' \\\n  ')
  return [...comments(body, unsendable), piped ? `${pipe(body)} \\\n  | ${command}` : command].join('\n')
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

/** By default curl expands brackets and resolves dots in the path. */
function flagsFor(url: string): string {
  return `${/[[\]{}]/.test(url) ? ' --globoff' : ''}${/\/\.{1,2}(\/|$|\?)/.test(url) ? ' --path-as-is' : ''}`
}

function isSendable(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name)
}

function isImplied(name: string, value: string, body: RecordedBody | undefined): boolean {
  const lower = name.toLowerCase()
  return implied.has(lower) || (lower === 'content-length' && value === String(body?.bytes ?? 0))
}

function headerArgument(name: string, value: string): string {
  if (name.toLowerCase() === 'authorization') return authorizationArgument(name, value)
  // `Name:` removes a header, `Name;` sends an empty one.
  return shellQuote(value === '' ? `${name};` : `${name}: ${value}`)
}

/** Rows test other schemes, and a scheme without a token: these headers remain as recorded. */
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
