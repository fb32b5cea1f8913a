import { implicitRules } from '../judge/implicit-rules.js'
import type { Case, Suite } from '../suite.js'
import { FindingList } from './finding-list.js'
import type { Finding } from './findings.js'

/**
 * What is wrong with a suite that can be run nevertheless: rules that could be tested and are not, conditions that no case
 * speaks of, rows that judge no rule.
 */
export function lintSuite(suite: Suite): Finding[] {
  const findings = new FindingList(suite.texts ?? new Map())
  const judged = judgedRules(suite)
  for (const { id, strength, untestable, place } of suite.rules.values()) {
    if (strength === 'client' || untestable !== undefined || judged.has(id)) continue
    findings.add(place, `no case judges the rule "${id}"`, 'write one, or say in "untestable" why none can')
  }
  const used = new Set(suite.cases.flatMap(conditionsOf))
  for (const { name, place } of suite.conditions.values()) {
    if (!used.has(name)) findings.add(place, `no case uses the condition "${name}"`, 'write one, or take it out')
  }
  for (const { rows } of suite.cases) {
    for (const { rules, place } of rows) {
      if (rules.length === 0) findings.add(place, 'this judges no rule', 'name at least one in "rules"')
    }
  }
  return findings.sorted()
}

/** Rules of rows, of the probes that follow them, and those that the judge applies everywhere. */
function judgedRules({ cases, probes }: Suite): Set<string> {
  const named = cases.flatMap(({ rows, afterwards }) => [
    ...rows.flatMap(({ rules }) => rules),
    ...(afterwards === undefined ? [] : (probes.get(afterwards)?.rules ?? [])),
  ])
  return new Set([...named, ...Object.values(implicitRules)])
}

function conditionsOf({ rows }: Case): string[] {
  const outcomes = rows.flatMap(({ steps }) => steps.map(({ verdict }) => verdict.outcome))
  return outcomes.flatMap((outcome) => (outcome && 'refused' in outcome ? [outcome.refused] : []))
}
