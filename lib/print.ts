/** The only access to the console. All text passes `outgoing`. */
import { withCodes } from './colors.js'
import { outgoing } from './outgoing.js'
import { withoutSuspects } from './redaction/redaction.js'

/** Characters of a line. */
const longestLine = 500
/** Characters; a cut command would be another command. */
export const longestCommand = 2000
const command = /^\s*(?:#|-H |--data|curl |printf |\| curl |npx |TOKEN=|(?:continue with: )?conform )/

let isDataOnly = false

/** For readers: cuts long lines. */
export const print = (text: string): void => (isDataOnly ? console.error : console.log)(forPeople(text))

/** While `work` runs, only `printData` writes to standard output, so that a program can read it. */
export async function withDataOnly<Result>(work: () => Promise<Result>): Promise<Result> {
  isDataOnly = true
  try {
    return await work()
  } finally {
    isDataOnly = false
  }
}

/** To standard error. */
export const printError = (text: string): void => console.error(forPeople(text))

/** The final error of a command; also hides possible secrets. */
export const printMistake = (text: string): void => printError(withoutSuspects(text))

/** For programs: without a line limit. */
export const printData = (text: string): void => console.log(outgoing(text))

/** A token that the user requested: the only secret that reaches standard output. */
export const printRequestedToken = (token: string): void => console.log(token)

/** Overwrites the last line of a terminal. */
export const statusLine = {
  get isTTY(): boolean {
    return process.stderr.isTTY
  },
  overwrite: (line: string): void => void process.stderr.write(`\r\u001b[2K${outgoing(line)}`),
  log: printError,
}

/** Ignores errors of standard error: they cannot be printed. */
export function onOutputError(failed: (error: NodeJS.ErrnoException) => void): void {
  process.stdout.on('error', failed)
  process.stderr.on('error', () => undefined)
}

/** Replaces Node's output of warnings and uncaught errors. */
export function printCrashes(crashed: (error: unknown) => void): void {
  process.on('uncaughtException', (error) => {
    // The simulator's own listener continues.
    if (process.listenerCount('uncaughtException') === 1) crashed(error)
  })
  if (process.listenerCount('warning') === 0) return
  process.removeAllListeners('warning')
  process.on('warning', ({ name, message }) => printError(`${name}: ${message}`))
}

const forPeople = (text: string): string => withShortLines(withCodes(outgoing(text)))

const withShortLines = (text: string): string => text.split('\n').map(shortLine).map(withoutCiCommands).join('\n')

/** Spaces and colour codes before a command. */
const beforeCommand = /^((?:\s|\p{Cc}\[\d+m)*)(?=::)/u

/**
 * GitHub executes lines that begin with `::` and the text `##[` anywhere in a line; Azure executes `##vso[`. The line may
 * be text of a target.
 */
const withoutCiCommands = (line: string): string =>
  line.replace(beforeCommand, '$1\\').replace(/##(?=(?:vso)?\[)/g, '#\\#')

function shortLine(line: string): string {
  const limit = command.test(line) ? longestCommand : longestLine
  if (line.length <= limit) return line
  // Removes half a surrogate pair.
  const kept = line.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
  const colorsEnd = kept.includes('\u001b') ? '\u001b[0m' : ''
  return `${kept}${colorsEnd} … [cut: ${line.length - kept.length} more characters]`
}
