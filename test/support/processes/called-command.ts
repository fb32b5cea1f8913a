import { Command } from 'commander'
import type { Test } from 'tap'
import { runCommand } from '../../../cli/commands/run-command.js'
import type { ExitCode } from '../../../cli/console/exit-code.js'
import { explain } from '../../../cli/console/failure.js'
import { addSettings } from '../../../cli/target/setting-options.js'
import type { Flags } from '../../../cli/target/settings.js'

export interface CalledCommand {
  code: ExitCode
  stdout: string
  stderr: string
}

export async function call(t: Test, command: () => Promise<ExitCode>): Promise<CalledCommand> {
  const out = t.capture(console, 'log', () => undefined)
  const err = t.capture(console, 'error', () => undefined)
  const printed = (captured: typeof out) =>
    captured()
      .flatMap(({ args }: { args: unknown[] }) => [...args.map(String), '\n'])
      .join('')
  try {
    const code = await command()
    return { code, stdout: printed(out), stderr: printed(err) }
  } catch (error) {
    const { text, code } = explain(error, false)
    return { code, stdout: printed(out), stderr: `${text}\n` }
  } finally {
    out.restore()
    err.restore()
  }
}

/** Half the time of a process. */
export function callRun(t: Test, flags: Flags): Promise<CalledCommand> {
  // A second `testdir` deletes the first.
  const out = flags['out'] ?? t.testdir()
  return call(t, () => runCommand({ ...flags, out }, false))
}

/** With another folder and additional environment variables. */
export async function callConform(
  t: Test,
  { folder, environment }: { folder: string; environment: Readonly<Record<string, string>> },
  ...[command, ...options]: string[]
): Promise<CalledCommand> {
  if (command !== 'run') throw new Error(`${command} is not supported here`)
  const [back, before] = [process.cwd(), process.env]
  process.chdir(folder)
  process.env = { ...before, ...environment }
  try {
    const flags = addSettings(new Command('run')).exitOverride().parse(options, { from: 'user' }).opts()
    return await call(t, () => runCommand(flags, false))
  } finally {
    process.chdir(back)
    process.env = before
  }
}
