/** Part of the interface of `conform`. */
export const exitCode = {
  conforming: 0,
  notConforming: 1,
  /** Of `doctor`: the target answers, but a run cannot start. */
  cannotRun: 1,
  /** Also if no row is selected. */
  usage: 2,
  /** The target cannot be reached or prepared. */
  target: 3,
  fault: 4,
  incomplete: 5,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
