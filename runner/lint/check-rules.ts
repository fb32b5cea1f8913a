import type { Suite } from '../suite/suite.js'
import type { FindingList } from '../yaml/findings.js'
import {
  coverageOf,
  failuresWithoutRule,
  isUntested,
  type Judged,
  judgedRules,
  type ResolvedViews,
  type RuleCoverage,
} from './coverage.js'

function checkFailuresWithoutRule({ profiles }: Suite, { rows }: ResolvedViews, findings: FindingList): void {
  for (const [index, profile] of [...profiles.values()].entries()) {
    if (profile.basis !== 'text' || profile.line !== undefined) continue
    const judging = rows.filter(({ views }) => views.some((view) => judgedRules(view).size > 0))
    const lines = new Set(judging.flatMap(({ views }) => failuresWithoutRule(views[index])).map(({ source }) => source))
    for (const line of lines) {
      const message = `under the profile "${profile.name}", a row can fail here without breaking a rule`
      findings.addLine(line, message, 'name a rule of the text, or leave the value open in that profile')
    }
  }
}

export function checkRules(suite: Suite, views: ResolvedViews, findings: FindingList): void {
  for (const covered of coverageOf(suite, views)) {
    for (const judged of covered.operations) checkCoverage(covered, judged, findings)
  }
  for (const row of views.rows) {
    if (row.views.some((view) => judgedRules(view).size > 0)) continue
    findings.add(row.location, 'this row judges no rule', 'name at least one in "rules"')
  }
  checkFailuresWithoutRule(suite, views, findings)
}

function checkCoverage(covered: RuleCoverage, judged: Judged, findings: FindingList): void {
  const { rule, testable } = covered
  const [first] = judged.cases
  if (!testable && first !== undefined) {
    const why = rule.strength === 'client' ? 'binds only clients' : 'is marked untestable'
    const message = `the rule "${rule.id}" ${why}, but the case "${first}" judges it`
    findings.add(rule.location, message, 'correct the rule or the case')
  }
  if (!isUntested(covered, judged)) return
  const where = judged.operation === undefined ? '' : ` in ${judged.operation}`
  const message = `no case judges the rule "${rule.id}"${where}`
  findings.add(rule.location, message, 'write a case, or give the reason in "untestable"')
}
