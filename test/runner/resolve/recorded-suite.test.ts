import t from 'tap'
import { recordedProfile } from '../../../runner/resolve/recorded-suite.js'
import { profileNamed, wholeSuite } from '../../support/suites/whole-suite.js'

t.test('a recorded profile describes each permitted answer by its own members', (t) => {
  const { situations = [] } = recordedProfile(profileNamed('canton-3.5'), wholeSuite)
  const described = new Map(situations.map(({ name, alternatives }) => [name, alternatives]))
  const all = [...described.values()].flat()
  t.ok(
    all.some((text) => /\bcontext [\w-]/.test(text)),
    'with the names of its context',
  )
  t.strictSame(
    all.filter((text) => /\bcontext\s*(?:,|$)/.test(text)),
    [],
    'without a context that the profile lacks',
  )
  t.end()
})
