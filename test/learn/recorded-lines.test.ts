/** Exchanges of whole runs on live participants of three lines. */
import t from 'tap'
import { learnedText } from '../../cli/console/learned-text.js'
import { type Learned, learn } from '../../learn/learn.js'
import type { ObservedRun } from '../../learn/observed-run.js'
import { divergencesText, profileText } from '../../learn/profile-text.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import type { Profile } from '../../runner/suite/suite.js'
import { readExchanges } from '../support/replay/read-exchanges.js'
import { profileNamed, wholeSuite } from '../support/suites/whole-suite.js'

const learned = (run: ObservedRun, base: Profile, name: string, byRow = false): Learned =>
  learn([run], wholeSuite, base, { name, byRow })

const printed = (one: Learned): string => learnedText(one, wholeSuite.situations)

const isOf =
  (...texts: string[]) =>
  (line: string): boolean =>
    texts.some((text) => line.startsWith(`{"row":"${text}`))

/** Rows of line 3.4 with other answers than those of line 3.5, and rows with equal answers. */
const differing = isOf('SAW-BY-KEY', 'SAW-LARGER-ARGUMENTS/', 'SAW-PREFETCH/', 'CBI-UNKNOWN/')

t.test('the profile canton-3.6 is learned from the recorded exchanges', async (t) => {
  const found = learned(await readExchanges('3.6'), profileNamed('canton-3.5'), 'canton-3.6')
  t.strictSame([found.inconsistent, found.proposed], [[], []])
  // Formats are not learned.
  const whole = wholeSuite.texts?.get('profiles/canton-3.6.yaml')?.replace(/^formats:\n(?: .*\n)+/m, '')
  const [, ...lines] = whole?.split('\n') ?? []
  t.equal(profileText(found.profile), lines.join('\n'))
})

// The first test compares 3.6.
t.test('each line matches its profile', async (t) => {
  for (const line of ['3.4', '3.5']) {
    const { profile, inconsistent, proposed } = learned(await readExchanges(line), profileNamed(`canton-${line}`), 'x')
    t.strictSame([profile.situations, profile.byRow, inconsistent, proposed], [[], [], [], []])
    t.equal(profile.accepted, undefined)
  }
})

t.test('other answers and violations of the text are listed with their rows', async (t) => {
  const found = learned(await readExchanges('3.4', differing), profileNamed('canton-3.5'), 'x')
  const text = printed(found)
  for (const part of [
    '  number-for-integer: accepted (SAW-LARGER-ARGUMENTS/integer-',
    ' (GEN-NO-SERVER-ERROR): The participant answers the situation exercise-by-key-of-keyless-template with 500',
  ])
    t.ok(text.includes(part), part)
  t.match(profileText(found.profile), /null-for-integer:\s.*code: INVALID_ARGUMENT/)
})

t.test('a situation with different answers is listed with its rows, and not learned', async (t) => {
  const [row, other] = ['EWT-SCHEME-NAMES/', 'EXE-SCHEME-NAMES/v4']
  const run = await readExchanges('3.6', (line) => isOf(row)(line) && !isOf(other)(line))
  const { rows } = await readExchanges('3.5', isOf(other))
  const mixed = { ...run, rows: [...run.rows, ...rows] }
  const undecided = learned(mixed, profileNamed('canton-3.5'), 'mixed')
  const text = printed(undecided)
  t.match(
    text,
    '1 situation with inconsistent answers; edit the profile, or learn each row with --by-row:\n  later-hashing-scheme: ',
  )
  t.match(text, '    400 text/plain, as expected: EXE-SCHEME-NAMES/v4\n')
  t.match(text, '    400 FAILED_TO_EXECUTE_TRANSACTION: EWT-SCHEME-NAMES/v4')
  t.notMatch(profileText(undecided.profile), 'later-hashing-scheme')
  const byRow = learned(mixed, profileNamed('canton-3.5'), 'by-row', true)
  t.match(printed(byRow), '1 situation with other answers:\n  later-hashing-scheme: 1 row (EWT-SCHEME-NAMES/v4)')
  t.match(profileText(byRow.profile), /later-hashing-scheme:\s.*by-row: \{ EWT-SCHEME-NAMES\/v4: /s)
})

t.test('a proposed divergence is accepted when it is moved to the profile', async (t) => {
  const run = await readExchanges('3.4', differing)
  const found = learned(run, profileNamed('canton-3.5'), 'mine')
  t.strictSame(
    found.proposed.map(({ id, rule }) => [id, rule]),
    [['SERVER-ERROR-FOR-EXERCISE-BY-KEY-OF-KEYLESS-TEMPLATE', 'GEN-NO-SERVER-ERROR']],
  )
  const text = profileText(found.profile)
  t.notMatch(text, 'exercise-by-key-of-keyless-template')
  const again = async (file: string): Promise<Learned> => {
    const { profiles } = await loadSuite(wholeSuite.folder ?? '', { path: 'mine.yaml', text: file })
    return learned(run, profiles.get('mine') ?? profileNamed('canton-3.5'), 'again')
  }
  t.equal((await again(text)).proposed.length, 1, 'before it is accepted')
  const [, situations = '', divergences = ''] =
    /\nsituations:\n(.*)\n(divergences:.*)/s.exec(divergencesText(found.proposed, found.profile)) ?? []
  const { profile, inconsistent, proposed } = await again(`${text}${situations}\n${divergences}`)
  t.strictSame([profile.situations, inconsistent, proposed], [[], [], []])
})

t.test('each divergence of a line has rows', async (t) => {
  const cases = JSON.stringify(wholeSuite.cases, (_, value: unknown) => (value instanceof Map ? [...value] : value))
  const profiles = ['canton-3.4', 'canton-3.5', 'canton-3.6'].flatMap((name) => wholeSuite.profiles.get(name) ?? [])
  const facts = profiles.flatMap(({ situations }) => [...situations.values()])
  for (const { id, rule, expect } of profiles.flatMap(({ divergences }) => divergences)) {
    const named = facts.filter(({ divergence }) => divergence === id)
    const hasRow = named.some(({ situation }) => cases.includes(`"what":"${situation}"`))
    t.ok(hasRow || (expect.size > 0 && cases.includes(rule)), id)
  }
})
