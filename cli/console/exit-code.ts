/** How `conform` ends; people and CI build on these numbers. */
export const exitCode = {
  conforming: 0,
  notConforming: 1,
  /** Of `doctor`: the target answers, and a run makes no sense on it. */
  senseless: 1,
  /** Wrong usage, configuration or suite file, or nothing selected. */
  usage: 2,
  /** The target cannot be reached, or does not let us provision it. */
  target: 3,
  /** A fault of this tool. */
  fault: 4,
  /** The run record is incomplete. */
  incomplete: 5,
} as const

export type ExitCode = (typeof exitCode)[keyof typeof exitCode]
