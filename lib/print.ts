/**
 * The only way to the console. Of text for people, each line has a limit, whatever a target, a record or a file put into it: so no
 * value on the console is longer. Everything passes `outgoing`.
 */
import { withCodes } from './colors.js'
import { outgoing } from './outgoing.js'
import { withoutSuspects } from './redaction/secrets.js'

/** Characters of a line. */
const longestLine = 500
/** Characters of a line of a command that is printed to be repeated; a shortened command would be another command. */
export const longestCommand = 2000
const command = /^\s*(?:#|-H |--data|curl |printf |\| curl |npx |conform )/

/** Text for people, on standard output. */
export const print = (text: string): void => console.log(forPeople(text))

/** Text for people, on standard error. */
export const printError = (text: string): void => console.error(forPeople(text))

/** What a command ends with: values that could be secrets in a wrong place are left out as well. */
export const printMistake = (text: string): void => printError(withoutSuspects(text))

/** Data for programs (JSON, YAML, Markdown), or what the suite itself says, on standard output. */
export const printData = (text: string): void => console.log(outgoing(text))

/** The last line of a terminal, which is written over. */
export const statusLine = {
  get isTTY(): boolean {
    return process.stderr.isTTY
  },
  overwrite: (line: string): void => void process.stderr.write(`\r\u001b[2K${outgoing(line)}`),
  /** A line of its own. */
  log: printError,
}

/** Calls back when standard output cannot be written; of standard error there is nowhere left to say it. */
export function onOutputError(failed: (error: NodeJS.ErrnoException) => void): void {
  process.stdout.on('error', failed)
  process.stderr.on('error', () => undefined)
}

/** What Node would print by itself: warnings, and errors that nothing caught. */
export function printCrashes(crashed: (error: unknown) => void): void {
  process.on('uncaughtException', (error) => {
    // The simulator has a listener of its own, which lets it stay.
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
  // Half a pair of surrogates would be no character.
  const kept = line.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
  const colorsEnd = kept.includes('\u001b') ? '\u001b[0m' : ''
  return `${kept}${colorsEnd} … [cut: ${line.length - kept.length} more characters]`
}
