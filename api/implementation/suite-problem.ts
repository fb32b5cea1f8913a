import { exitCode } from '../../cli/exit-code.js'
import { explain } from '../../cli/failure.js'
import { NothingSelected } from '../../runner/plan/select.js'
import { ConformanceError } from '../types/conformance-error.js'

/** What the caller gets for an error of a run: its own class for what can be put right, anything else as it is. */
export function suiteProblem(error: unknown): unknown {
  const { text, code } = explain(error, false)
  if (error instanceof NothingSelected) return new ConformanceError('NOTHING_SELECTED', text, error)
  if (code === exitCode.usage) return new ConformanceError('INVALID_OPTION', text, error)
  if (code === exitCode.target) return new ConformanceError('TARGET_UNUSABLE', text, error)
  return error
}
