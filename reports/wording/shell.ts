import type { RunHeader } from '../../record/types/record.js'
import { hasInvisible } from './hostile-text.js'

export function shellWord(text: string): string {
  // zsh expands a word that begins with = to the path of a command.
  if (/^(?!=)[\w@%+=:,./-]+$/.test(text)) return text
  return shellQuote(text)
}

/** In single quotes. printf creates control characters, so that they have no effect on a terminal. NUL is removed. */
export function shellQuote(text: string): string {
  const quoted = (part: string) => `'${part.replaceAll("'", "'\\''")}'`
  if (!hasInvisible(text)) return quoted(text)
  const escaped = [...new TextEncoder().encode(text.replaceAll('\u0000', ''))].map(escapeByte).join('')
  return `"$(printf '%b' ${quoted(escaped)})"`
}

function escapeByte(byte: number): string {
  // In double quotes an interactive shell expands ! from its history.
  const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x5c && byte !== 0x21
  return plain ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, '0')}`
}

export const defaultProfile = 'canton-3.5'

/** Most rows in flight. More gain nothing on the embedded simulator, which shares the processors of the run. */
export const defaultConcurrency = (embedded: boolean): number => (embedded ? 16 : 32)

export const defaultResults = 'results'

/** Names the settings file of the run; without one, target and profile. */
export function rerunCommand(row: { id: string; configuration?: number }, header: RunHeader): string {
  const { target, profile } = header
  const parts = [`conform run --only ${shellWord(row.id)}`, ...callOf(header)]
  const judging = profile.file?.path ?? profile.name
  // Without it, the version of the target or the settings file selects the profile.
  if (!target.embedded || header.options?.settingsFile !== undefined || judging !== defaultProfile)
    parts.push(`--profile ${shellWord(judging)}`)
  if (needsToken(row, header)) parts.push('--authorization hs256:secret-of-the-simulator')
  return parts.join(' ')
}

function callOf({ target, options }: RunHeader): string[] {
  if (options?.settingsFile !== undefined) return [`--settings ${settingsWord(options.settingsFile)}`]
  const file = target.file?.name ?? ''
  return [
    ...(target.embedded ? [] : [`--target ${shellWord(target.url)}`]),
    ...(file === '' ? [] : [`--config ${shellWord(file)}`]),
  ]
}

/** The record has only the name of a file in another folder. The shell prints the words after `:?`. */
function settingsWord(file: string): string {
  const [, name] = /^\.\.\.\/([\w.-]+)$/.exec(file) ?? []
  return name === undefined ? shellWord(file) : `"\${SETTINGS:?set it to the path of ${name}}"`
}

/**
 * The target file names later configurations, and the run with it reaches the row. The second one of the embedded
 * simulator has tokens; their secret protects nothing.
 */
function needsToken({ configuration = 1 }: { configuration?: number }, { target, configurations }: RunHeader) {
  const found = configuration === 1 ? undefined : configurations?.[configuration - 1]
  return found !== undefined && target.embedded && found.authorization !== 'none'
}

/** `form`: of the suite. Prints the token of the user that sent a request. */
export function tokenCommand(
  actor: string,
  user: string | undefined,
  form: string | undefined,
  header: RunHeader,
): string {
  const parts = [`conform token ${shellWord(actor)}`, ...callOf(header)]
  if (user !== undefined) parts.push(`--user ${shellWord(`${actor}=${user}`)}`)
  if (form !== undefined) parts.push(`--form ${shellWord(form)}`)
  return parts.join(' ')
}
