import { FindingList } from '../load/finding-list.js'
import type { Finding } from '../load/findings.js'
import type { Suite } from '../suite/suite.js'
import { checkIdleExpectations } from './idle-expectations.js'
import { checkLeftovers } from './leftovers.js'
import { checkOutline } from './outline-gates.js'
import { checkRules } from './rule-gates.js'
import { checkStatuses } from './statuses.js'
import { checkTopology } from './topology.js'

/**
 * What is wrong with a suite that can be run nevertheless: what it forgets of the interface, what it holds that nothing
 * needs, and expectations that let through more than the rules do.
 */
export function lintSuite(suite: Suite): Finding[] {
  const findings = new FindingList(suite.texts ?? new Map())
  for (const check of [checkOutline, checkRules, checkLeftovers, checkStatuses, checkIdleExpectations, checkTopology]) {
    check(suite, findings)
  }
  return findings.sorted()
}
