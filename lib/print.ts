/** The only access to the console. Limits the length of lines for readers. Everything passes `outgoing`. */
import { withCodes } from './colors.js'
import { outgoing } from './outgoing.js'
import { withoutSuspects } from './redaction/secrets.js'

/** Characters of a line. */
const longestLine = 500
/** Characters of a printed command line; a cut command would be another command. */
export const longestCommand = 2000
const command = /^\s*(?:#|-H |--data|curl |printf |\| curl |npx |conform )/

/** Prints text for readers. */
export const print = (text: string): void => console.log(forPeople(text))

/** As `print`, to standard error. */
export const printError = (text: string): void => console.error(forPeople(text))

/** The final error of a command; also hides values that may be misplaced secrets. */
export const printMistake = (text: string): void => printError(withoutSuspects(text))

/** Prints data for programs, or text of the suite, without a line limit. */
export const printData = (text: string): void => console.log(outgoing(text))

/** The overwritten last line of a terminal. */
export const statusLine = {
  get isTTY(): boolean {
    return process.stderr.isTTY
  },
  overwrite: (line: string): void => void process.stderr.write(`\r\u001b[2K${outgoing(line)}`),
  log: printError,
}

/** Calls `failed` for errors of standard output. Errors of standard error are ignored, because they cannot be printed. */
export function onOutputError(failed: (error: NodeJS.ErrnoException) => void): void {
  process.stdout.on('error', failed)
  process.stderr.on('error', () => undefined)
}

/** Replaces Node's own output of warnings and uncaught errors. */
export function printCrashes(crashed: (error: unknown) => void): void {
  process.on('uncaughtException', (error) => {
    // The simulator has its own listener, which continues.
    if (process.listenerCount('uncaughtException') === 1) crashed(error)
  })
  if (process.listenerCount('warning') === 0) return
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => printError(`${name}: ${message}`))
}

const forPeople = (text: string): string => withShortLines(withCodes(outgoing(text)))

const withShortLines = (text: string): string => text.split('\n').map(shortLine).join('\n')

function shortLine(line: string): string {
  const limit = command.test(line) ? longestCommand : longestLine
  if (line.length <= limit) return line
  // Removes half a surrogate pair.
  const kept = line.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
  const colorsEnd = kept.includes('\u001b') ? '\u001b[0m' : ''
  return `${kept}${colorsEnd} … [cut: ${line.length - kept.length} more characters]`
}
