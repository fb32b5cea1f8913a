/** Which profile judges: the setting, else the line of the version, else the interface text. */

import t from 'tap'
import { profileText } from '../../../cli/console/run-output.js'
import { findingText } from '../../../reports/wording/finding-text.js'
import { checkProfile, chooseProfile, type ProfileSource } from '../../../runner/doctor/profile-choice.js'
import { profileNamed, wholeSuite } from '../../support/suites/whole-suite.js'

const choose = (version: string | undefined, profileBy: ProfileSource, name = 'canton-3.5') =>
  chooseProfile({ profile: profileNamed(name), profileBy, suite: wholeSuite }, version)

t.test('a version of a known line selects its profile, and the text judges any other target', async (t) => {
  const lines: [version: string | undefined, profile: string, text: string, code: string][] = [
    ['3.4.12-SNAPSHOT', 'canton-3.4', 'canton-3.4 (the target has version 3.4.12-SNAPSHOT)', 'profile-selected'],
    ['3.5.10', 'canton-3.5', 'canton-3.5 (the target has version 3.5.10)', 'profile-selected'],
    ['3.6', 'canton-3.6', 'canton-3.6 (the target has version 3.6)', 'profile-selected'],
    ['3.60.1', 'interface', 'interface (no profile covers version 3.60.1)', 'version-unknown'],
    ['my own \u001b[31m', 'interface', 'interface (no profile covers version my own ‹U+001B›[31m)', 'version-unknown'],
    [undefined, 'interface', 'interface (the version of the target is unknown)', 'version-untold'],
  ]
  for (const [version, profile, text, code] of lines) {
    const choice = choose(version, 'version')
    t.equal(choice.profile.name, profile, String(version))
    t.equal(profileText(choice), text)
    t.match(checkProfile(choice), { code, level: 'good', facts: { profile } })
  }
})

t.test('a setting precedes the version, and is named with its source', async (t) => {
  const choice = choose('3.6.1', { setting: 'conform.yaml:3' })
  t.equal(choice.profile.name, 'canton-3.5')
  t.equal(profileText(choice), 'canton-3.5 (conform.yaml:3)')
  t.equal(
    findingText(checkProfile(choice)),
    'the target has version "3.6.1", but the profile canton-3.5 (conform.yaml:3) covers 3.5. Use --profile canton-3.6.',
  )
  const text = choose('3.6.1', { setting: '--profile' }, 'interface')
  t.equal(findingText(checkProfile(text)), 'the target has version "3.6.1"; the profile interface (--profile) judges')
})
