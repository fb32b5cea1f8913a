import type { ExitCode } from '../console/exit-code.js'

/** A command with the values of its arguments and options. */
type Command<Given extends unknown[]> = (...given: Given) => Promise<ExitCode>

export interface Action {
  /** Whether the terminal shows colours. */
  color: boolean
  /** Keeps the exit code of a command for the program. */
  action<Given extends unknown[]>(command: Command<Given>): (...given: Given) => Promise<void>
}

export function createAction(color: boolean, ended: (code: ExitCode) => void): Action {
  return {
    color,
    action:
      (command) =>
      async (...given) => {
        ended(await command(...given))
      },
  }
}
