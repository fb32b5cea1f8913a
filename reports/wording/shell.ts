/** Commands for a POSIX shell, and the defaults of `conform run` that they omit. */
import type { RunHeader } from '../../record/types/record.js'
import { hasInvisible } from './hostile-text.js'

/** `text` as one word, quoted if necessary. */
export function shellWord(text: string): string {
  // zsh expands a word that begins with = to the path of a command.
  if (/^(?!=)[\w@%+=:,./-]+$/.test(text)) return text
  return shellQuote(text)
}

/**
 * `text` as one word in single quotes. printf creates control characters, so that the command itself has no effect on a
 * terminal. No argument can contain NUL: it is removed.
 */
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

/** Variables replace secrets and keys. */
function authorizationOf(kind: string): string[] {
  if (kind === 'none' || kind === 'given') return []
  const variable = kind === 'hs256' ? '$SECRET' : '$KEY_FILE'
  // A forged record can contain any kind.
  return [`--authorization ${/^\w+$/.test(kind) ? `"${kind}:${variable}"` : `${shellQuote(`${kind}:`)}"${variable}"`}`]
}

/** Rows in flight; no other client uses the embedded simulator. */
export const defaultConcurrency = (embedded: boolean): number => (embedded ? 16 : 8)

export const defaultResults = 'results'

/** A forged record can contain any number. */
const mostPatterns = 20

const patterns = (count: number): string =>
  [
    ...Array.from({ length: Math.min(count, mostPatterns) }, (_, at) => `"$PATTERN_${at + 1}"`),
    ...(count > mostPatterns ? ['"$ALL_OTHER_PATTERNS"'] : []),
  ].join(' ')

/**
 * The command that runs one row again with the target, profile and options of the run. Shell variables replace secrets and
 * redaction patterns.
 */
export function rerunCommand(rowId: string, { target, profile, options = {}, concurrency }: RunHeader): string {
  const parts = [`conform run --only ${shellWord(rowId)}`]
  if (!target.embedded) parts.push(`--target ${shellWord(target.url)}`)
  if (target.file && target.file.name !== '') parts.push(`--config ${shellWord(target.file.name)}`)
  if (profile.name !== defaultProfile) parts.push(`--profile ${shellWord(profile.name)}`)
  if (target.connection?.insecure) parts.push('--insecure')
  if (!target.file?.authorizes) parts.push(...authorizationOf(target.authorization))
  const { suite, out, protocolVersion, allow, redactions = 0 } = options
  if (suite !== undefined) parts.push(`--suite ${shellWord(suite)}`)
  if (protocolVersion !== undefined) parts.push(`--protocol-version ${shellWord(String(protocolVersion))}`)
  if (allow) parts.push(`--allow ${allow.map(shellWord).join(' ')}`)
  if (concurrency !== defaultConcurrency(target.embedded)) parts.push(`--concurrency ${shellWord(String(concurrency))}`)
  if (redactions > 0) parts.push(`--redact ${patterns(redactions)}`)
  if (out !== undefined && out !== defaultResults) parts.push(`--out ${shellWord(out)}`)
  return parts.join(' ')
}
