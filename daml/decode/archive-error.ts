type ArchiveProblem =
  /** The DAR as a container: no zip file, too big, entries or the manifest wrong. */
  | 'DAR'
  /** An archive in it whose bytes are none, or are not those that its name or hash announces. */
  | 'ARCHIVE'
  /** A version of Daml-LF that is not known. */
  | 'LANGUAGE_VERSION'
  /** A package that reads as protobuf, but says what no package may, or what is not known. */
  | 'PACKAGE'

/** Bytes that are no DAR, or hold a package that cannot be read. The message says where and what. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
  readonly problem: ArchiveProblem

  constructor(problem: ArchiveProblem, message: string) {
    super(message)
    this.problem = problem
  }
}
