import type { JsonValue } from '../../../lib/json/json.js'
import type { Reason } from '../../../record/types/reason.js'
import type { ResolvedRow } from '../../../record/types/resolved-row.js'
import type { Verdict } from '../../../record/types/verdict.js'
import { judgeRow, type RowVerdict } from '../../../runner/judge/judge-row.js'
import { resolveSuite } from '../../../runner/resolve/resolve-suite.js'
import type { Case, Profile, Row, Step, Suite } from '../../../runner/suite/suite.js'
import { caseOf, profileOf, rowOf, suiteOf } from '../suites/small-suite.js'
import { type InWords, rowInWords } from '../words/in-words.js'
import { filed, type NamedEvidence } from './small-evidence.js'

interface Setting {
  rules?: string[]
  row?: Partial<Row>
  profile?: Partial<Profile>
  suite?: Suite
  case?: Partial<Case>
  stopped?: Reason
  variables?: Record<string, JsonValue>
}

export function resolvedRow(steps: Step[], given: Setting = {}): ResolvedRow {
  const row = rowOf('row', steps, { rules: given.rules ?? ['MUST'], ...given.row })
  const suite = { ...(given.suite ?? suiteOf()), cases: [caseOf('CASE', [row], given.case)] }
  const [resolved] = resolveSuite(suite, profileOf(given.profile)).rows
  if (!resolved) throw new Error('the suite has one row')
  return resolved
}

/** With the reason in words. */
export function judge(steps: Step[], evidence: readonly NamedEvidence[], given: Setting = {}): InWords<RowVerdict> {
  const row = resolvedRow(steps, given)
  const variables = new Map(Object.entries({ run: 'r1', ...given.variables }))
  const { stopped } = given
  return rowInWords(judgeRow(row, { evidence: filed(row, evidence), variables, stopped }))
}

export const verdictOf = (steps: Step[], evidence: readonly NamedEvidence[], given?: Setting): Verdict =>
  judge(steps, evidence, given).verdict
