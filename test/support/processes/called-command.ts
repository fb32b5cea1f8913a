import type { Test } from 'tap'
import { runCommand } from '../../../cli/commands/run-command.js'
import type { ExitCode } from '../../../cli/console/exit-code.js'
import { explain } from '../../../cli/console/failure.js'
import type { Flags } from '../../../cli/target/settings.js'
import { capturing, inTurn, quick, withSurroundings } from './program-calls.js'

export interface CalledCommand {
  code: ExitCode
  stdout: string
  stderr: string
}

/** The function of a command, with its errors as the program prints them. */
export const call = (command: () => Promise<ExitCode>): Promise<CalledCommand> =>
  inTurn(async () => {
    const explained = (): Promise<{ code: ExitCode; text: string }> =>
      command().then(
        (code) => ({ code, text: '' }),
        (error: unknown) => explain(error, false),
      )
    const surroundings = { folder: undefined, environment: quick }
    const { result, stdout, stderr } = await withSurroundings(surroundings, () => capturing(explained))
    return { code: result.code, stdout, stderr: result.text === '' ? stderr : `${result.text}\n` }
  })

/** The command `run`. */
export function callRun(t: Test, flags: Flags): Promise<CalledCommand> {
  // A second `testdir` deletes the first.
  const out = flags['out'] ?? t.testdir()
  return call(() => runCommand({ ...flags, out }, false))
}
