/** Learns the lines, permitted variants and seeded faults of the simulator from runs. `npm run measure:learn` repeats it for more of them. */
import t from 'tap'
import { findOverrides } from '../../lab/find-overrides.js'
import { judgedRun, verdictOf } from '../../learn/judged-rows.js'
import { learn } from '../../learn/learn.js'
import { observedRun } from '../../learn/observed-run.js'
import { profileText } from '../../learn/profile-text.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import type { SimulatorOptions } from '../../simulator/simulator.js'
import { recordedRun } from '../support/records/recorded-run.js'
import { profileNamed, wholeSuite } from '../support/suites/whole-suite.js'
import { inWords } from '../support/words/in-words.js'

/** Rows with different answers, formats and effects. */
const few: string[] = [
  'CBI-VISIBILITY/*',
  'CBI-UNKNOWN/*',
  'EWT-ANSWER/*',
  'SAW-EXERCISED-CONTRACT/*',
  'SAW-LARGER-ARGUMENTS/*',
]
/** Bodies of megabytes. */
const large = ['SAW-LARGE/beyond-*', 'SAW-DEPTH/*']
/** Rows of the situations below, and others. */
const sample = [
  ...few,
  ...large,
  ...['SAW-PREFETCH/*', 'EWT-SCHEME-*', 'EWT-ALTERED/*', 'SAW-ACTORS/*', 'SAW-BY-KEY-MEMBERS/*'],
]

async function learned(options: SimulatorOptions, only: readonly string[] = sample, byRow = false) {
  const record = await recordedRun(options, { only })
  return learn([observedRun(record)], wholeSuite, profileNamed('canton-3.5'), { name: 'learned', byRow })
}

t.test('learns exactly the differences of the next line', async (t) => {
  const { profile, inconsistent, proposed } = await learned({ behaviour: 'canton-3.6' })
  const names = [...profileNamed('canton-3.6').situations]
    .filter(([name, fact]) => fact !== profileNamed('canton-3.5').situations.get(name))
    .filter(([, { source }]) => source.startsWith('rows'))
    .map(([name]) => name)
  t.strictSame(profile.situations.map(({ situation }) => situation).sort(), names.sort())
  t.strictSame([profile.accepted, profile.formats, profile.byRow, inconsistent, proposed], [undefined, {}, [], [], []])
})

t.test('learns permitted variants', async (t) => {
  const varied = (variants: string[], only: string[]) => learned({ overrides: findOverrides({ variants }) }, only)
  const unlimited = await varied(['bodies-of-any-size'], ['CBI-LARGE/*', 'CBI-UNKNOWN/*'])
  t.strictSame(
    unlimited.profile.situations.map(({ situation, answers }) => [situation, answers.map(({ outcome }) => outcome)]),
    [['body-too-large', ['accepted']]],
  )
  const several = await varied(['other-successes', 'times-with-offset'], few)
  t.strictSame(several.profile.accepted?.status, [200, 201], 'the operations of the text, and support operations')
  t.ok(Object.keys(several.profile.formats).length > 0, 'formats are learned')
  for (const one of [unlimited, several]) t.strictSame([one.inconsistent, one.proposed], [[], []])
})

t.test('where rows disagree, the answer of each row is learned on request, and its own profile fits', async (t) => {
  const overrides = findOverrides({ variants: ['no-formats'] })
  const only = ['EWT-ANY-PARTY/*', 'EWT-ANSWER/*', 'EWT-SHOWN/*']
  const undecided = await learned({ overrides }, only)
  t.ok(undecided.inconsistent.some(({ situation }) => situation === 'left-open'))
  t.strictSame(undecided.profile.byRow, [])
  const { profile, inconsistent, proposed } = await learned({ overrides }, only, true)
  t.strictSame([inconsistent, proposed], [[], []])
  const rows = profile.byRow.flatMap((one) => one.rows.map(({ row }) => row))
  t.ok(rows.includes('EWT-ANY-PARTY/only') && rows.length > 1, rows.join(', '))
  const file = { path: 'own.yaml', text: profileText(profile) }
  const { profiles } = await loadSuite(wholeSuite.folder ?? '', file)
  const own = profiles.get('learned')
  t.ok(own?.situations.get('left-open')?.byRow?.has('EWT-ANY-PARTY/only'))
  const again = await recordedRun({ overrides }, { profile: own ?? '', only: ['EWT-ANY-PARTY/*', 'EWT-SHOWN/*'] })
  t.strictSame(
    again.rows
      .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable')
      .map(({ id, reason }) => `${id}: ${inWords(reason)}`),
    [],
  )
  const unknown = loadSuite(wholeSuite.folder ?? '', {
    ...file,
    text: file.text.replaceAll('EWT-ANY-PARTY/only', 'EWT-ANY/one'),
  })
  await t.rejects(unknown, /unknown row "EWT-ANY\/one"/)
})

t.test('members that a participant leaves out change the basis, and its own profile fits', async (t) => {
  const record = await recordedRun(
    { overrides: findOverrides({ variants: ['events-with-few-members'] }) },
    { only: ['EWT-ANSWER/*'] },
  )
  const { profile, proposed } = learn([observedRun(record)], wholeSuite, profileNamed('canton-3.5'), {
    name: 'few-members',
  })
  t.equal(profile.basis, 'text')
  t.strictSame(proposed, [])
  const suite = await loadSuite(wholeSuite.folder ?? '', { path: 'few-members.yaml', text: profileText(profile) })
  const own = suite.profiles.get('few-members')
  const judged = own && judgedRun(observedRun(record), suite, own, profileNamed('interface'))
  t.strictSame(
    judged?.rows.flatMap(({ base, observed }) => (verdictOf(base, observed).verdict === 'fail' ? [observed.id] : [])),
    [],
  )
  t.ok(
    record.rows.some(({ verdict }) => verdict === 'fail'),
    'canton-3.5 does not fit',
  )
})

t.test('other statuses are learned, of races and of recorded divergences, too', async (t) => {
  const overrides = findOverrides({ variants: ['other-statuses'] })
  const only = ['SAW-RACE-FOR-ONE-CONTRACT/*', 'EWT-UNKNOWN-*', 'VET-EMPTY-KIND/*']
  const { profile, inconsistent, proposed } = await learned({ overrides }, only)
  t.strictSame([inconsistent, proposed], [[], []])
  const of = (name: string) => profile.situations.find(({ situation }) => situation === name)
  t.match(of('empty-change-kind'), { divergence: 'EMPTY-CHANGE-REFUSED', answers: [{ status: 422 }] })
  t.strictSame(of('filter-by-unknown-template')?.answers, [
    { outcome: 'refused', status: 410, mediaType: 'application/json' },
  ])
  t.ok((of('lost-race')?.answers ?? []).every(({ code }) => code !== undefined))
  const text = profileText(profile)
  t.match(text, /empty-change-kind:\s.*?status: 422.*divergence: EMPTY-CHANGE-REFUSED/s)
  await loadSuite(wholeSuite.folder ?? '', { path: 'own.yaml', text })
})

t.test('another answer of a race is learned beside those of the profile', async (t) => {
  const overrides = findOverrides({ variants: ['rejected-change-ids-not-accepted-again'] })
  const { profile, inconsistent } = await learned({ overrides }, ['SAW-RACE-OF-ONE-CHANGE/*'])
  t.strictSame(inconsistent, [])
  const text = profileText(profile)
  t.match(text, /racing-duplicate:.*SUBMISSION_ALREADY_IN_FLIGHT.*DUPLICATE_COMMAND.*400-invalid-argument/s)
  const { profiles } = await loadSuite(wholeSuite.folder ?? '', { path: 'own.yaml', text })
  t.equal(profiles.get('learned')?.situations.get('racing-duplicate')?.alternatives.length, 3)
})

t.test('learns nothing of a seeded fault, and proposes one divergence', async (t) => {
  const overrides = findOverrides({ mutant: 'everything-found' })
  const { profile, inconsistent, proposed } = await learned({ overrides }, ['CBI-VISIBILITY/*', 'CBI-UNKNOWN/*'])
  const { situations, byRow, formats, accepted } = profile
  t.strictSame([situations, byRow, formats, accepted, inconsistent], [[], [], {}, undefined, []])
  t.strictSame(
    proposed.map((one) => one.rule),
    ['CBI-STAKEHOLDER-INTERSECTION'],
  )
})
