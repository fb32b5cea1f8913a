import picocolors from 'picocolors'
import { systemReason } from '../lib/files/file-errors.js'
import { isSameFile } from '../lib/files/paths.js'
import { onOutputError, printCrashes, printError, printMistake } from '../lib/print.js'
import { exitCode } from './console/exit-code.js'
import { hasUsableLimits } from './console/process-limits.js'
import { runProgram } from './program.js'

/** Connects the program to its process: arguments, colours, working directory, closed outputs, crashes and the exit code. */
export async function main(): Promise<void> {
  const color = picocolors.isColorSupported
  watchOutput()
  printCrashes((error) => void endAfterCrash(error, color))
  // Without a listener, a write beyond `ulimit -f` kills the process; with one, the write fails with EFBIG.
  process.on('SIGXFSZ', () => undefined)
  if (!hasUsableLimits()) process.exitCode = exitCode.fault
  else if (!(await hasWorkingDirectory())) process.exitCode = exitCode.usage
  else process.exitCode = await runProgram(process.argv.slice(2), { color })
}

/** Packages read the working directory while they load, and Node cannot name a removed one. */
async function hasWorkingDirectory(): Promise<boolean> {
  try {
    const named = process.cwd()
    // Node replaces bytes that are not UTF-8, and the name may be that of a sibling, which would receive the results.
    if (!named.includes('\ufffd') || (await isSameFile('.', named))) return true
    printMistake('The working directory cannot be used (its name is not UTF-8). Change to another folder.')
  } catch (error) {
    printMistake(`The working directory cannot be used (${systemReason(error)}). Change to an existing folder.`)
  }
  return false
}

async function endAfterCrash(error: unknown, color: boolean): Promise<void> {
  try {
    const { explain } = await import('./console/failure.js')
    printMistake(explain(error, color).text)
  } catch (another) {
    // Without this, the failed import crashes again, for ever.
    printMistake(`Internal error of conform: ${String(error)}\n${String(another)}`)
  } finally {
    process.exit(exitCode.fault)
  }
}

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
