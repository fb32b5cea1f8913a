import type { FindingList } from '../load/finding-list.js'
import type { Case, Row, Step, Suite } from '../suite/suite.js'

/** Rules that a case or a row names for expectations without rules of their own, where there are no such expectations. */
export function checkDefaultRules(suite: Suite, findings: FindingList): void {
  for (const suiteCase of suite.cases) {
    const { rules, rows } = suiteCase
    const taking = rows.filter((row) => takesDefault(suiteCase, row, suite))
    if (rules && taking.every(({ ownRules }) => ownRules !== undefined)) {
      findings.add(rules.location, 'no expectation of any row takes these rules', 'take them out: each names its own')
    }
    for (const row of rows) {
      if (!row.ownRules || taking.includes(row)) continue
      findings.add(row.ownRules, 'no expectation of this row takes these rules', 'take them out: each names its own')
    }
  }
}

function takesDefault({ restore, afterwards }: Case, { steps }: Row, { probes }: Suite): boolean {
  const later = afterwards === undefined ? [] : (probes.get(afterwards)?.afterAcceptance ?? [])
  return [...steps, ...later, ...restore].some(hasExpectationWithoutRules)
}

function hasExpectationWithoutRules({ outcome, race, expect: { status, headers, body } }: Step): boolean {
  const all = [outcome, status, ...(headers?.values() ?? []), ...(body?.values() ?? [])]
  return race !== undefined || all.some((one) => one !== undefined && one.rules === undefined)
}
