import { join } from 'node:path'
import { FindingList } from '../load/finding-list.js'
import type { Finding } from '../load/findings.js'
import { shownPath } from '../load/suite-files.js'
import { ResolveError } from '../resolve/resolve-error.js'
import type { Suite } from '../suite/suite.js'
import { checkDefaultRules } from './default-rules.js'
import { checkIdleExpectations } from './idle-expectations.js'
import { checkLeftovers } from './leftovers.js'
import { checkLineWidth } from './line-width.js'
import { checkOutline } from './outline-gates.js'
import { type ResolvedViews, resolvedViews } from './resolved-views.js'
import { checkRules } from './rule-gates.js'
import { checkProfileStatuses, checkStepStatuses } from './statuses.js'
import { checkTopology } from './topology.js'

/**
 * What is wrong with a suite that can be run nevertheless: what it forgets of the interface, what it holds that nothing
 * needs, and expectations that let through more than the rules do.
 */
export function lintSuite(suite: Suite): Finding[] {
  const findings = new FindingList(suite.texts ?? new Map(), (name) => shownPath(join(suite.folder ?? '', name)))
  for (const check of [checkLineWidth, checkOutline, checkDefaultRules]) check(suite, findings)
  for (const profile of suite.profiles.values()) checkProfileStatuses(profile, findings)
  const views = viewsOf(suite, findings)
  if (views) checkRows(suite, views, findings)
  return findings.sorted()
}

/** Undefined, and a finding, where a request cannot be made: then nothing more can be said of rows. */
function viewsOf(suite: Suite, findings: FindingList): ResolvedViews | undefined {
  try {
    return resolvedViews(suite)
  } catch (error) {
    if (!(error instanceof ResolveError)) throw error
    findings.addLine(error.source, error.problem, 'an edit must lead to where the base request has something')
    return undefined
  }
}

function checkRows(suite: Suite, views: ResolvedViews, findings: FindingList): void {
  checkRules(suite, views, findings)
  checkTopology(views.rows, findings)
  for (const resolved of views.suites) {
    checkIdleExpectations(resolved, findings)
    checkStepStatuses(resolved, findings)
  }
  checkLeftovers(suite, views.suites, findings)
}
