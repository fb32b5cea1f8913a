import type { RunRecord } from '../../record/types/record.js'
import { judgeAgain } from '../judge/judge-again.js'
import { recordedProfile } from '../resolve/recorded-suite.js'
import { profileAtVersion } from '../resolve/resolve-suite.js'
import type { Profile, Suite } from '../suite/suite.js'
import { expectationsBy, expectationsByText } from './expectations-by.js'

/** Judges the evidence again by a profile of the suite of the run. Throws `ResolveError`. */
export function judgeBy(record: RunRecord, profile: Profile, suite: Suite): RunRecord {
  const { header } = record
  const { protocolVersion } = header.target
  if (profile.name === header.profile.name) return judgeAgain(record)
  return judgeAgain(record, {
    profile: recordedProfile(profileAtVersion(profile, protocolVersion), suite),
    expectations: expectationsBy(profile, suite, protocolVersion),
    byText: expectationsByText(profile, suite, protocolVersion),
  })
}
