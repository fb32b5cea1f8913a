import { onOutputError, printError } from '../../lib/print.js'
import { exitCode } from './exit-code.js'

/**
 * A closed pipe (EPIPE) is no failure. Any other error, such as a full disk, is printed, and a command that would exit
 * with 0 exits with 2.
 */
export function watchOutput(): void {
  let hasFailed = false
  onOutputError((error) => {
    if (hasFailed) return
    hasFailed = true
    if (error.code === 'EPIPE') return
    printError(
      `standard output cannot be written (${error.message}): the rest is lost; reports are still written to files`,
    )
    // The command sets its exit code later.
    process.once('exit', () => {
      if (process.exitCode === undefined || process.exitCode === exitCode.conforming) process.exitCode = exitCode.usage
    })
  })
}
