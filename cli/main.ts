import picocolors from 'picocolors'
import { printCrashes, printMistake } from '../lib/print.js'
import { exitCode } from './console/exit-code.js'
import { watchOutput } from './console/standard-output.js'
import { runProgram } from './program.js'

/** Connects the program to its process: arguments, colours, closed outputs, crashes and the exit code. */
export async function main(): Promise<void> {
  const color = picocolors.isColorSupported
  watchOutput()
  printCrashes((error) => void endAfterCrash(error, color))
  process.exitCode = await runProgram(process.argv.slice(2), { color })
}

async function endAfterCrash(error: unknown, color: boolean): Promise<void> {
  const { explain } = await import('./console/failure.js')
  printMistake(explain(error, color).text)
  process.exit(exitCode.fault)
}
