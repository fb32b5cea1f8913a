import { hasInvisible } from './hostile-text.js'

/** `text` as one word of a POSIX shell, quoted only where it must be. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return shellQuote(text)
}

/**
 * `text` as one word in single quotes. Control characters, which would act on the terminal that shows the command, are
 * left to printf to make; NUL, which no argument can hold, is lost.
 */
export function shellQuote(text: string): string {
  const quoted = (part: string) => `'${part.replaceAll("'", "'\\''")}'`
  if (!hasInvisible(text)) return quoted(text)
  const escaped = [...Buffer.from(text)].map(escapeByte).join('')
  return `"$(printf '%b' ${quoted(escaped)})"`
}

function escapeByte(byte: number): string {
  const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x5c
  return plain ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, '0')}`
}

/** The command that runs one row again. */
export function rerunCommand(rowId: string): string {
  return `conform run --only ${shellWord(rowId)}`
}
