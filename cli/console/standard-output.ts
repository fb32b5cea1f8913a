/** What becomes of a command whose output has no reader: it ends with a sentence. */
import { onOutputError, printError } from '../../lib/print.js'
import { exitCode } from './exit-code.js'

/**
 * From now on an error of standard output is told once, on standard error, and what is printed afterwards is dropped. Whoever
 * stops to read (EPIPE) has what he wanted; a full disk makes the command fail, unless it does anyway.
 */
export function watchOutput(): void {
  let isTold = false
  onOutputError((error) => {
    if (isTold) return
    isTold = true
    const closed = error.code === 'EPIPE'
    const what = closed
      ? 'nobody reads standard output any more'
      : `standard output cannot be written (${error.message})`
    printError(`${what}: the rest of it is lost; files are written all the same`)
    if (closed) return
    // After the command has said how it ended.
    process.once('exit', () => {
      if (process.exitCode === undefined || process.exitCode === exitCode.conforming) process.exitCode = exitCode.usage
    })
  })
}
