import type { Suite } from '../suite/suite.js'
import type { FindingList } from '../yaml/finding-list.js'
import { coverageOf, isUntested, type Judged, type RuleCoverage } from './coverage.js'
import { failuresWithoutRule, judgedRules } from './judged-rules.js'
import type { ResolvedViews } from './resolved-views.js'

/** Whatever a row can fail by the text alone is about a sentence of the text. */
function checkFailuresWithoutRule({ profiles }: Suite, { rows }: ResolvedViews, findings: FindingList): void {
  for (const [index, profile] of [...profiles.values()].entries()) {
    if (profile.basis !== 'text' || profile.line !== undefined) continue
    const judging = rows.filter(({ views }) => views.some((view) => judgedRules(view).size > 0))
    const lines = new Set(judging.flatMap(({ views }) => failuresWithoutRule(views[index])).map(({ source }) => source))
    for (const line of lines) {
      const message = `by the profile "${profile.name}" a row fails by this, and no rule is broken`
      findings.addLine(line, message, 'name a rule of the text beside it, or leave it open in that profile')
    }
  }
}

/**
 * Every testable rule has a case in each operation that it is an obligation of, or stands in the list of those not written
 * yet, which holds nothing else; no case judges what cannot be tested, and every row judges something.
 */
export function checkRules(suite: Suite, views: ResolvedViews, findings: FindingList): void {
  const coverage = coverageOf(suite, views)
  for (const covered of coverage) {
    for (const judged of covered.operations) checkCoverage(covered, judged, findings)
  }
  checkGaps(suite, new Map(coverage.map((covered) => [covered.rule.id, covered])), findings)
  for (const row of views.rows) {
    if (row.views.some((view) => judgedRules(view).size > 0)) continue
    findings.add(row.location, 'this judges no rule', 'name at least one in "rules"')
  }
  checkFailuresWithoutRule(suite, views, findings)
}

function checkCoverage(covered: RuleCoverage, judged: Judged, findings: FindingList): void {
  const { rule, testable } = covered
  const [first] = judged.cases
  if (!testable && first !== undefined) {
    const why =
      rule.strength === 'client' ? 'binds clients, so that no participant can break it' : 'is called untestable'
    findings.add(
      rule.location,
      `the rule "${rule.id}" ${why}, and the case "${first}" judges it`,
      'one of the two is wrong',
    )
  }
  if (!isUntested(covered, judged) || judged.gap) return
  const where = judged.operation === undefined ? '' : ` in ${judged.operation}`
  findings.add(
    rule.location,
    `no case judges the rule "${rule.id}"${where}`,
    'write one, or say in "untestable" why none can',
  )
}

function checkGaps({ gaps }: Suite, coverage: ReadonlyMap<string, RuleCoverage>, findings: FindingList): void {
  for (const [operation, listed] of gaps.rules) {
    const known = new Set<string>()
    for (const { name, location } of listed) {
      const covered = coverage.get(name)
      const judged = covered?.operations.find((one) => (one.operation ?? operation) === operation)
      if (!covered || !judged) {
        findings.add(location, `the rule "${name}" is not an obligation of ${operation}`, 'take it out of the list')
      } else if (known.has(name)) {
        findings.add(location, `the rule "${name}" is already in this list`, 'take it out once')
      } else if (!isUntested(covered, judged)) {
        const [first] = judged.cases
        const reason = first === undefined ? 'needs no case' : `has a case by now: ${first}`
        findings.add(location, `the rule "${name}" ${reason}`, 'take it out of the list')
      }
      known.add(name)
    }
  }
}
