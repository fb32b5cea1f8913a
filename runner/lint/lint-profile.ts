import { join } from 'node:path'
import { type Profile, type Suite, textProfile } from '../suite/suite.js'
import { type Finding, FindingList } from '../yaml/findings.js'
import { shownPath } from '../yaml/suite-files.js'
import { checkProfileStatuses } from './check-statuses.js'

/** Errors of a profile that is no part of the suite folder. */
export function lintProfile(suite: Suite, profile: Profile): Finding[] {
  const path = profile.file?.path
  const findings = new FindingList(suite.texts ?? new Map(), (name) =>
    shownPath(name === path ? name : join(suite.folder ?? '', name)),
  )
  checkProfileStatuses(profile, findings)
  checkAgainstText(suite, profile, findings)
  return findings.sorted().filter(({ isWarning }) => !isWarning)
}

/** An outcome that the text does not permit needs a divergence, which a reader of the record finds. */
function checkAgainstText({ profiles }: Suite, profile: Profile, findings: FindingList): void {
  const text = profiles.get(textProfile)
  for (const [name, { alternatives: shared, divergence, byRow, location }] of profile.situations) {
    if (!text || divergence !== undefined || location.file !== profile.location.file) continue
    const rows = [...(byRow?.values() ?? [])].filter((one) => one.divergence === undefined)
    const alternatives = [...shared, ...rows.flatMap((one) => one.alternatives)]
    const known = text.situations.get(name)?.alternatives ?? [{ outcome: 'refused' }]
    const permitted = new Set(known.map(({ outcome }) => outcome))
    const [other] = alternatives.filter(({ outcome }) => !permitted.has(outcome))
    if (!other) continue
    const message = `the text does not permit that "${name}" is ${other.outcome === 'accepted' ? 'accepted' : 'rejected'}`
    findings.add(location, message, 'name the violation with "divergence", and define it under "divergences"')
  }
}
