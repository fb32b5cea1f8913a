import type { RunHeader, RunRow } from '../../record/types/record.js'
import type { RecordedSetting, RecordedValue } from '../../record/types/recorded-options.js'
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

/** Rows in flight; no other client uses the embedded simulator. */
export const defaultConcurrency = (embedded: boolean): number => (embedded ? 16 : 8)

export const defaultResults = 'results'

/** With the settings of the run. Shell variables replace secrets, redaction patterns, and paths of other folders. */
export function rerunCommand(row: Pick<RunRow, 'id' | 'configuration'>, header: RunHeader): string {
  const { target, profile, concurrency } = header
  const parts = [`conform run --only ${shellWord(row.id)}`]
  if (!target.embedded) parts.push(`--target ${shellWord(target.url)}`)
  const judging = profile.file?.path ?? profile.name
  // Without it, the version of the target selects the profile.
  if (!target.embedded || judging !== defaultProfile) parts.push(`--profile ${shellWord(judging)}`)
  parts.push(...settingWords([...recordedSettings(header), ...settingsOfConfiguration(row, header)]))
  if (concurrency !== defaultConcurrency(target.embedded)) parts.push(`--concurrency ${shellWord(String(concurrency))}`)
  return parts.join(' ')
}

/**
 * The target file names later configurations, and the run with it reaches the row. The second one of the embedded
 * simulator has tokens; their secret protects nothing.
 */
function settingsOfConfiguration(
  { configuration = 1 }: Pick<RunRow, 'configuration'>,
  { target, configurations }: RunHeader,
): RecordedSetting[] {
  const found = configuration === 1 ? undefined : configurations?.[configuration - 1]
  if (!found || !target.embedded || found.authorization === 'none') return []
  return [{ option: 'authorization', values: [{ text: 'hs256:secret-of-the-simulator' }] }]
}

export const settingWords = (settings: readonly RecordedSetting[]): string[] =>
  settings.map(({ option, values }) => [`--${shellWord(option)}`, ...values.map(valueWord)].join(' '))

/** The header names the target: a forged setting must not send credentials elsewhere. */
const recordedSettings = (header: RunHeader): RecordedSetting[] =>
  (header.options?.settings ?? recordedMembers(header)).filter(({ option }) => option !== 'target')

/** A forged record can contain any name. */
const valueWord = ({ text, variable }: RecordedValue): string =>
  variable === undefined || !/^[A-Z][A-Z0-9_]*$/.test(variable)
    ? shellWord(text)
    : `${text === '' ? '' : shellWord(text)}"$${variable}"`

/** The options of `conform token`. */
export const credentialOptions: readonly string[] = [
  'target',
  'config',
  'authorization',
  'token',
  'user',
  'administrator',
  'unreachable',
  'suite',
  'out',
  'header',
  'ca',
  'client-certificate',
  'client-key',
  'client-key-passphrase',
  'insecure',
  'proxy',
]

/** `form`: of the suite. Prints the token of the user that sent a request. */
export function tokenCommand(
  actor: string,
  user: string | undefined,
  form: string | undefined,
  header: RunHeader,
): string {
  const own = recordedSettings(header).filter(
    ({ option }) => credentialOptions.includes(option) && option !== 'out' && option !== 'user',
  )
  const parts = [`conform token ${shellWord(actor)} --target ${shellWord(header.target.url)}`]
  if (user !== undefined) parts.push(`--user ${shellWord(`${actor}=${user}`)}`)
  if (form !== undefined) parts.push(`--form ${shellWord(form)}`)
  return [...parts, ...settingWords(own)].join(' ')
}

/** A forged record can contain any number. */
const mostPatterns = 20

/** Of runs without recorded settings: older runs, and those of the library. */
function recordedMembers({ target, options = {} }: RunHeader): RecordedSetting[] {
  const { suite, out, protocolVersion, allow, redactions = 0 } = options
  const setting = (option: string, ...texts: readonly (string | undefined)[]): RecordedSetting[] => {
    const values = texts.flatMap((text) => (text === undefined ? [] : [{ text }]))
    return values.length === 0 ? [] : [{ option, values }]
  }
  const patterns = Array.from({ length: Math.min(redactions, mostPatterns) }, (_, at) => ({
    text: '',
    variable: `PATTERN_${at + 1}`,
  }))
  return [
    ...setting('config', target.file?.name === '' ? undefined : target.file?.name),
    ...(target.connection?.insecure ? [{ option: 'insecure', values: [] }] : []),
    ...(target.file?.authorizes ? [] : authorizationSetting(target.authorization)),
    ...setting('suite', suite),
    ...setting('protocol-version', protocolVersion === undefined ? undefined : String(protocolVersion)),
    ...setting('allow', ...(allow ?? [])),
    ...(patterns.length > 0 ? [{ option: 'redact', values: patterns }] : []),
    ...setting('out', out === defaultResults ? undefined : out),
  ]
}

function authorizationSetting(kind: string): RecordedSetting[] {
  if (kind === 'none' || kind === 'given') return []
  return [
    { option: 'authorization', values: [{ text: `${kind}:`, variable: kind === 'hs256' ? 'SECRET' : 'KEY_FILE' }] },
  ]
}
