/** Exchanges of whole runs on live participants of three lines. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { learnCommand } from '../../cli/commands/learn-command.js'
import { type CalledCommand, call } from '../support/processes/called-command.js'
import { conformIn } from '../support/processes/conform-process.js'
import { wholeSuite } from '../support/suites/whole-suite.js'

const recorded = (line: string): string => join(process.cwd(), `test/recordings/lines/${line}.ndjson.gz`)

t.test('the profile canton-3.6 is learned from the recorded exchanges', async (t) => {
  const folder = t.testdir({})
  const options = ['--record', recorded('3.6'), '--from', 'canton-3.5', '--name', 'canton-3.6']
  const { code, stdout } = await conformIn({ folder }, 'learn', ...options)
  t.equal(code, 0, stdout)
  t.notMatch(stdout, /inconsistent|proposed/)
  // Formats are not learned.
  const whole = wholeSuite.texts?.get('profiles/canton-3.6.yaml')?.replace(/^formats:\n(?: .*\n)+/m, '')
  const [, ...lines] = whole?.split('\n') ?? []
  t.equal(await readFile(join(folder, 'canton-3.6.yaml'), 'utf8'), lines.join('\n'))
})

/** Learns from the record, and compares it with the profile. */
const checked = (from: string, record: string): Promise<CalledCommand> =>
  call(() => learnCommand({ check: true, from, record: [record] }))

async function linesOf(line: string): Promise<string[]> {
  return gunzipSync(await readFile(recorded(line)))
    .toString('utf8')
    .trim()
    .split('\n')
}

const isOf =
  (texts: readonly string[]) =>
  (line: string): boolean =>
    texts.some((text) => line.startsWith(`{"row":"${text}`))

/** Writes the head of a recording and some of its rows. */
async function someRows(folder: string, line: string, ...texts: string[]): Promise<string> {
  const [head, ...lines] = await linesOf(line)
  const file = join(folder, `${line}.ndjson`)
  await writeFile(file, `${[head, ...lines.filter(isOf(texts))].join('\n')}\n`)
  return file
}

/** Rows of line 3.4 with other answers than those of line 3.5, and rows with equal answers. */
const differing = ['SAW-BY-KEY', 'SAW-LARGER-ARGUMENTS/', 'SAW-PREFETCH/', 'CBI-UNKNOWN/']

// The first test compares 3.6.
t.test('each line matches its profile', async (t) => {
  for (const line of ['3.4', '3.5']) {
    const { code, stdout } = await checked(`canton-${line}`, recorded(line))
    t.equal(code, 0, stdout)
    t.match(stdout, new RegExp(`^No drift: \\d+ rows match the profile canton-${line.replace('.', '\\.')}\\.`))
  }
})

t.test('drift is reported in groups, with the changed entries of the profile', async (t) => {
  const { code, stdout } = await checked('canton-3.5', await someRows(t.testdir({}), '3.4', ...differing))
  t.equal(code, 1)
  for (const text of [
    'Other answers, which the text permits:',
    '  number-for-integer: accepted in SAW-LARGER-ARGUMENTS/integer-',
    'Violations of the text:',
    '  GEN-NO-SERVER-ERROR: The participant answers the situation exercise-by-key-of-keyless-template with 500',
    '--- canton-3.5\n+++ the participant\n situations:\n',
    '-  null-for-integer: { refused: { code: LEDGER_API_INTERNAL_ERROR }, divergence: SERVER-ERROR-FOR-WRONG-KIND }\n' +
      '+  null-for-integer: { refused: { code: INVALID_ARGUMENT } }\n',
  ])
    t.ok(stdout.includes(text), text)
})

/** The rows of one line, and one row of another. */
async function mixedRows(folder: string, rows: string, other: string): Promise<string> {
  const [[head, ...lines], others] = await Promise.all([linesOf('3.6'), linesOf('3.5')])
  const chosen = [
    ...lines.filter((line) => isOf([rows])(line) && !isOf([other])(line)),
    ...others.filter(isOf([other])),
  ]
  const file = join(folder, 'mixed.ndjson')
  await writeFile(file, `${[head, ...chosen].join('\n')}\n`)
  return file
}

t.test('a situation with different answers is listed with its rows, and not learned', async (t) => {
  const folder = t.testdir({})
  const file = await mixedRows(folder, 'EWT-SCHEME-NAMES/', 'EXE-SCHEME-NAMES/v4')
  const mixed = join(folder, 'mixed.yaml')
  const { code, stdout } = await call(() => learnCommand({ record: [file], name: 'mixed', write: mixed }))
  t.equal(code, 0, stdout)
  t.match(
    stdout,
    '1 situation inconsistent; edit the profile, or learn each row with --by-row:\n  later-hashing-scheme: ',
  )
  t.match(stdout, '    400 text/plain, as expected: EXE-SCHEME-NAMES/v4\n')
  t.match(stdout, '    400 FAILED_TO_EXECUTE_TRANSACTION: EWT-SCHEME-NAMES/v4\n')
  t.notMatch(await readFile(mixed, 'utf8'), 'later-hashing-scheme')
  const ofRows = join(folder, 'by-row.yaml')
  const byRow = await call(() => learnCommand({ record: [file], name: 'by-row', byRow: true, write: ofRows }))
  t.match(byRow.stdout, '1 situation learned:\n  later-hashing-scheme: 1 row (EWT-SCHEME-NAMES/v4)\n')
  t.match(await readFile(ofRows, 'utf8'), /later-hashing-scheme:\s.*by-row: \{ EWT-SCHEME-NAMES\/v4: /s)
  const drift = await checked('canton-3.6', file)
  t.equal(drift.code, 1)
  t.match(drift.stdout, 'Inconsistent answers:\n  later-hashing-scheme: 400 text/plain in EXE-SCHEME-NAMES/v4\n')
  t.notMatch(drift.stdout, '+++', 'no difference of the profile')
})

t.test('a proposed divergence is accepted when it is moved to the profile', async (t) => {
  const folder = t.testdir({})
  const record = await someRows(folder, '3.4', ...differing)
  const file = join(folder, 'mine.yaml')
  const learned = await call(() => learnCommand({ record: [record], name: 'mine', write: file }))
  t.equal(learned.code, 0, learned.stdout)
  const id = 'SERVER-ERROR-FOR-EXERCISE-BY-KEY-OF-KEYLESS-TEMPLATE'
  t.match(learned.stdout, `1 divergence proposed:\n  ${id} (GEN-NO-SERVER-ERROR): `)
  const profile = await readFile(file, 'utf8')
  t.notMatch(profile, 'exercise-by-key-of-keyless-template')
  const check = () => checked(file, record)
  t.equal((await check()).code, 1, 'before it is accepted')
  const proposed = await readFile(join(folder, 'mine.divergences.yaml'), 'utf8')
  const [, situations = '', divergences = ''] = /\nsituations:\n(.*)\n(divergences:.*)/s.exec(proposed) ?? []
  await writeFile(file, `${profile}${situations}\n${divergences}`)
  const { code, stdout, stderr } = await check()
  t.equal(code, 0, stdout + stderr)
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
