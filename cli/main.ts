import picocolors from 'picocolors'
import { systemReason } from '../lib/files/file-errors.js'
import { printCrashes, printMistake } from '../lib/print.js'
import { exitCode } from './console/exit-code.js'
import { hasUsableLimits } from './console/process-limits.js'
import { watchOutput } from './console/standard-output.js'
import { runProgram } from './program.js'

/** Connects the program to its process: arguments, colours, working directory, closed outputs, crashes and the exit code. */
export async function main(): Promise<void> {
  const color = picocolors.isColorSupported
  watchOutput()
  printCrashes((error) => void endAfterCrash(error, color))
  if (!hasUsableLimits()) process.exitCode = exitCode.fault
  else if (!hasWorkingDirectory()) process.exitCode = exitCode.usage
  else process.exitCode = await runProgram(process.argv.slice(2), { color })
}

/** Packages read the working directory while they load, and Node cannot name a removed one. */
function hasWorkingDirectory(): boolean {
  try {
    process.cwd()
    return true
  } catch (error) {
    printMistake(`The working directory cannot be used (${systemReason(error)}). Change to an existing folder.`)
    return false
  }
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
