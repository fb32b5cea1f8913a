/** Errors of resolving a suite. */
import type { SourceLine } from '../../record/types/resolved-row.js'

/** A request that cannot be built from the suite, such as an edit without a parent. */
export class ResolveError extends Error {
  override readonly name = 'ResolveError'
  readonly source: SourceLine
  readonly problem: string

  constructor({ file, line }: SourceLine, step: string, problem: string) {
    const message = `the request of the step "${step}" cannot be built: ${problem}`
    super(`${file}:${line}: ${message}`)
    this.source = { file, line }
    this.problem = message
  }
}
