/** The program without its process: commands load their modules when called, which halves the start time of the simulator. */
import { Command, CommanderError } from 'commander'
import { printData, printError, printMistake } from '../lib/print.js'
import { type Action, createAction } from './arguments/action.js'
import { addRecordCommands } from './arguments/record-arguments.js'
import { addRunCommands } from './arguments/run-arguments.js'
import { addSimulateCommand } from './arguments/simulate-arguments.js'
import { addSuiteCommands } from './arguments/suite-arguments.js'
import { type ExitCode, exitCode } from './console/exit-code.js'
import { toolIdentity } from './tool/tool.js'

/**
 * Runs one command: reads `process.env` and the working directory, prints to the console, and changes no listener of the
 * process except while the command needs it. `words`: arguments without the name of the program.
 * @example const code = await runProgram(['list', '--only', 'SAW-*'], { color: false })
 */
export async function runProgram(words: readonly string[], { color }: { color: boolean }): Promise<ExitCode> {
  let code: ExitCode = exitCode.conforming
  const action = createAction(color, (ended) => {
    code = ended
  })
  try {
    await createProgram(action).parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.conforming : exitCode.usage
    const { explain } = await import('./console/failure.js')
    const { text, code: failed } = explain(error, color)
    printMistake(text)
    return failed
  }
  return code
}

function createProgram(action: Action): Command {
  const program = new Command('conform')
    .description('Tests and certifies the JSON interface of a ledger participant, and simulates a participant')
    .version(toolIdentity().version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => printData(text.trimEnd()),
      writeErr: (text) => printError(text.trimEnd()),
    })
    // Options after `list rules` belong to `rules`, not to `list`.
    .enablePositionalOptions()
    .showSuggestionAfterError()
  addRunCommands(program, action)
  addRecordCommands(program, action)
  addSimulateCommand(program, action)
  addSuiteCommands(program, action)
  return program
}
