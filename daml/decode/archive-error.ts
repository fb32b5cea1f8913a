type ArchiveProblem =
  /** The zip file or its manifest. */
  | 'DAR'
  /** A package that the manifest names is missing. */
  | 'ENTRY'
  /** Not an archive, or its hash differs. */
  | 'ARCHIVE'
  | 'LANGUAGE_VERSION'
  /** Content that no compiler emits. */
  | 'PACKAGE'

export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  readonly problem: ArchiveProblem
  /** Name of the missing entry. */
  readonly entry: string | undefined

  constructor(problem: ArchiveProblem, message: string, entry?: string) {
    super(message)
    this.problem = problem
    this.entry = entry
  }
}

export const malformed = (problem: string): ArchiveError => new ArchiveError('PACKAGE', problem)

/** Adds the place to the message of an `ArchiveError`. */
export function inPlace<T>(place: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    throw new ArchiveError(error.problem, `${place}: ${error.message}`)
  }
}
