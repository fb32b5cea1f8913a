import { findingText } from '../../reports/wording/finding-text.js'
import { endText } from '../../reports/wording/reason-words.js'
import { UnusableTarget } from '../../runner/doctor/finding.js'
import { EndedBeforeRows } from '../../runner/transport/early-end.js'

/** Errors with facts have their words in the reports. */
export function errorText(error: unknown): string {
  if (error instanceof EndedBeforeRows) return `${endText(error.why)} No row was started.`
  if (error instanceof UnusableTarget) return error.findings.map(findingText).join('\n')
  return error instanceof Error ? error.message : String(error)
}
