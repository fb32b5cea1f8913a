import type { RunHeader } from '../../record/types/record.js'
import { hasInvisible } from './hostile-text.js'

/** `text` as one word of a POSIX shell, quoted only where it must be. */
export function shellWord(text: string): string {
  // zsh takes a word that begins with = for the path of a command.
  if (/^(?!=)[\w@%+=:,./-]+$/.test(text)) return text
  return shellQuote(text)
}

/**
 * `text` as one word in single quotes. Control characters, which would act on the terminal that shows the command, are
 * left to printf to make; NUL, which no argument can hold, is lost.
 */
export function shellQuote(text: string): string {
  const quoted = (part: string) => `'${part.replaceAll("'", "'\\''")}'`
  if (!hasInvisible(text)) return quoted(text)
  const escaped = [...new TextEncoder().encode(text.replaceAll('\u0000', ''))].map(escapeByte).join('')
  return `"$(printf '%b' ${quoted(escaped)})"`
}

function escapeByte(byte: number): string {
  // Within the outer double quotes a shell that is typed into replaces ! by its history.
  const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x5c && byte !== 0x21
  return plain ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, '0')}`
}

/** The profile that `conform run` takes without being told. */
export const defaultProfile = 'canton-3.5'

/** Secrets and keys are for who runs it to fill in. */
function authorizationOf(kind: string): string[] {
  if (kind === 'none' || kind === 'given') return []
  const variable = kind === 'hs256' ? '$SECRET' : '$KEY_FILE'
  // The kind stands in a record, which anybody may have written.
  return [`--authorization ${/^\w+$/.test(kind) ? `"${kind}:${variable}"` : `${shellQuote(`${kind}:`)}"${variable}"`}`]
}

/** How many rows it has in flight without being told: the embedded simulator is nobody else's, and has a processor waiting with fewer. */
export const defaultConcurrency = (embedded: boolean): number => (embedded ? 16 : 8)

/** Where it leaves its results. */
export const defaultResults = 'results'

/** More are not listed: the number stands in a record, which anybody may have written. */
const mostPatterns = 20

const patterns = (count: number): string =>
  [
    ...Array.from({ length: Math.min(count, mostPatterns) }, (_, at) => `"$PATTERN_${at + 1}"`),
    ...(count > mostPatterns ? ['"$ALL_OTHER_PATTERNS"'] : []),
  ].join(' ')

/**
 * The command that runs one row again as it ran: against the same target, judged by the same profile, with what else the run was
 * told. It has a folder of its own, so that nothing of this run is lost by it. Secrets, and patterns that may tell one, are left
 * to the shell.
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
