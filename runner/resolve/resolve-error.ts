import type { SourceLine } from '../../record/types/resolved-row.js'

/** What a suite says of one exchange cannot be made into a request: an edit leads to where the body has nothing. */
export class ResolveError extends Error {
  override readonly name = 'ResolveError'
  readonly source: SourceLine
  readonly problem: string

  constructor({ file, line }: SourceLine, step: string, problem: string) {
    super(`${file}:${line}: the request of the step "${step}" cannot be made: ${problem}`)
    this.source = { file, line }
    this.problem = `the request of the step "${step}" cannot be made: ${problem}`
  }
}
