type ArchiveProblem =
  /** The zip file or its manifest. */
  | 'DAR'
  /** Not an archive, or its hash differs. */
  | 'ARCHIVE'
  | 'LANGUAGE_VERSION'
  /** Content that no compiler emits. */
  | 'PACKAGE'

export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  readonly problem: ArchiveProblem

  constructor(problem: ArchiveProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

export const malformed = (problem: string): ArchiveError => new ArchiveError('PACKAGE', problem)

/** Adds the place to the message of an `ArchiveError`, unless it has it. */
export function inPlace<T>(place: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ArchiveError) || error.message.startsWith(place)) throw error
    throw new ArchiveError(error.problem, `${place}: ${error.message}`)
  }
}
