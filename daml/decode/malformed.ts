import { ArchiveError } from './archive-error.js'

/** For a package that says what none may, or what is not known. */
export const malformed = (problem: string): ArchiveError => new ArchiveError('PACKAGE', problem)
