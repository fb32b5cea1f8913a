import type { Command } from 'commander'
import { printData } from '../../lib/print.js'
import { type CompletionShell, completionScript } from '../console/completion.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { valuesOf } from '../target/setting-options.js'

export function completionCommand(shell: CompletionShell, program: Command): ExitCode {
  printData(completionScript(shell, program, valuesOf).trimEnd())
  return exitCode.conforming
}
