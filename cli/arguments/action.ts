import { printMistake } from '../../lib/print.js'
import type { ExitCode } from '../console/exit-code.js'

/** A command with the values of its arguments and options. */
type Command<Given extends unknown[]> = (...given: Given) => Promise<ExitCode>

export interface Action {
  /** Whether the terminal shows colours. */
  color: boolean
  /** Prints the error of a command, and keeps its exit code for the program. */
  action<Given extends unknown[]>(command: Command<Given>): (...given: Given) => Promise<void>
}

export function createAction(color: boolean, ended: (code: ExitCode) => void): Action {
  return {
    color,
    action:
      (command) =>
      async (...given) => {
        try {
          ended(await command(...given))
        } catch (error) {
          const { explain } = await import('../console/failure.js')
          const { text, code } = explain(error, color)
          printMistake(text)
          ended(code)
        }
      },
  }
}
