/** What the record of one configuration says, against its suite, its evidence and its own header. */

import { openRules } from '../record/examination.js'
import type { RunRecord } from '../record/record.js'
import { count } from '../reports/words.js'
import { checkChallenge } from './challenge.js'
import { checkCapabilities } from './check-capabilities.js'
import { checkFixtures } from './check-fixtures.js'
import { checkHeader } from './check-header.js'
import { checkOrigin } from './check-origin.js'
import { checkPlan } from './check-plan.js'
import { checkReasons } from './check-reasons.js'
import { checkRequests } from './check-requests.js'
import { checkRights } from './check-rights.js'
import { checkVerdicts } from './check-verdicts.js'
import { compareSuite } from './compare-suite.js'
import { derivePlan } from './derive-plan.js'
import { altered, type BundleFinding, stated, unproven } from './finding.js'
import { restrictionsOf } from './restrictions.js'

export interface PartOptions {
  /** The bundle. */
  folder: string
  /** The configurations before this one, as one record; undefined for the first one. */
  before: RunRecord | undefined
  /** When the statement was signed. */
  issued: string | undefined
  /** This version of the program made the record: another one may derive another plan from the same suite. */
  isSameTool: boolean
  /** The folder of the suite that the verifier trusts. */
  suite: string
  /** The text by which the verifier knows that the run began after it was drawn. */
  challenge?: string
}

/** `suite`: how the suite differs from the trusted one, which its reader must know before everything else. */
export async function checkPart(
  record: RunRecord,
  options: PartOptions,
): Promise<Record<'suite' | 'findings', BundleFinding[]>> {
  const { header } = record
  const { suite, plan } = await suiteFindings(record, options)
  return {
    suite,
    findings: [
      ...record.defects.map((defect) => altered(`the record is not whole: ${defect.replace(/\.$/, '')}`)),
      ...checkVerdicts(record),
      ...plan,
      ...checkCapabilities(record),
      ...checkOrigin(record, options.issued),
      ...checkChallenge(header, options.challenge),
      ...restrictionsOf(header).map(({ what, isForbidden }) => (isForbidden ? unproven(what) : stated(what))),
    ],
  }
}

async function suiteFindings(
  record: RunRecord,
  { folder, before, isSameTool, suite: trusted }: PartOptions,
): Promise<Record<'suite' | 'plan', BundleFinding[]>> {
  const { header } = record
  // A further run of the whole suite, as --also adds it, selects no rules.
  const open = before && header.selection?.rules ? openRules(before) : undefined
  const derived = await derivePlan(folder, header, open)
  if ('kind' in derived) return { suite: [], plan: [derived] }
  const suite = before ? [] : await compareSuite(derived, trusted, header.target.protocolVersion)
  const reasons = [...checkReasons(record, derived.resolved), ...checkRights(header, derived.resolved)]
  const found = [
    ...checkHeader(header, derived),
    ...checkPlan(record, derived),
    ...checkRequests(record),
    ...checkFixtures(record, derived.resolved.fixtures),
    ...ruleDifferences(header.selection?.rules, open),
  ]
  if (found.length === 0 || isSameTool) return { suite, plan: [...found.map(altered), ...reasons] }
  const places = count(found.length, 'place')
  const what = `another version of the program made the record: header, plan and requests differ in ${places} from what this version derives`
  return { suite, plan: [unproven(what), ...reasons] }
}

/** A configuration after the first one runs the rows of rules that those before it have not examined. */
const ruleDifferences = (selected: readonly string[] | undefined, open: ReadonlySet<string> | undefined): string[] =>
  [...(selected ?? [])].toSorted().join() === [...(open ?? [])].toSorted().join()
    ? []
    : ['the rules that the run selected are not those that the configurations before it left open']
