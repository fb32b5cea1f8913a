/** Exit codes of `conform`, part of its interface. */
export const exitCode = {
  conforming: 0,
  notConforming: 1,
  /** Of `doctor`: the target answers, but a run cannot start. */
  cannotRun: 1,
  /** Invalid option, target file or suite file, or no row selected. */
  usage: 2,
  /** The target cannot be reached or prepared. */
  target: 3,
  /** Internal error. */
  fault: 4,
  /** The run record is incomplete. */
  incomplete: 5,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
