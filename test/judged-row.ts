/** One row of given steps and evidence, judged. */
import type { JsonValue } from '../interface/json.js'
import type { Evidence } from '../record/record.js'
import type { Verdict } from '../record/verdict.js'
import { judgeRow, type RowVerdict } from '../runner/judge/judge-row.js'
import type { Case, Profile, Step, Suite } from '../runner/suite/suite.js'
import { caseOf, profileOf, rowOf, suiteOf } from './small-suite.js'

interface Situation {
  rules?: string[]
  profile?: Partial<Profile>
  suite?: Suite
  case?: Partial<Case>
  stopped?: string
  variables?: Record<string, JsonValue>
}

export function judge(steps: Step[], evidence: Evidence[], given: Situation = {}): RowVerdict {
  const row = rowOf('row', steps, { rules: given.rules ?? ['MUST'] })
  const variables = new Map(Object.entries({ run: 'r1', ...given.variables }))
  const performed = { evidence, variables, ...(given.stopped !== undefined && { stopped: given.stopped }) }
  return judgeRow(caseOf('CASE', [row], given.case), row, performed, profileOf(given.profile), given.suite ?? suiteOf())
}

export const verdictOf = (steps: Step[], evidence: Evidence[], given?: Situation): Verdict =>
  judge(steps, evidence, given).verdict
