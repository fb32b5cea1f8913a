import type { Test } from 'tap'
import type { ExitCode } from '../cli/exit-code.js'
import { explain } from '../cli/failure.js'

export interface CalledCommand {
  code: ExitCode
  stdout: string
  stderr: string
}

/** Runs a command in this process, which costs no start of another one: how it ends, and what it prints. */
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
