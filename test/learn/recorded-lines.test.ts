/** Exchanges of whole runs on live participants of three lines. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { learnCommand } from '../../cli/commands/learn-command.js'
import { type CalledCommand, call } from '../support/processes/called-command.js'
import { conformIn } from '../support/processes/conform-process.js'
import { wholeSuite } from '../support/records/recorded-run.js'

const recorded = (line: string): string => join(process.cwd(), `test/recordings/lines/${line}.ndjson.gz`)

t.test('the profile canton-3.6 is learned from the recorded exchanges', async (t) => {
  const folder = t.testdir({})
  const options = ['--record', recorded('3.6'), '--from', 'canton-3.5', '--name', 'canton-3.6']
  const { code, stdout } = await conformIn({ folder }, 'learn', ...options)
  t.equal(code, 0, stdout)
  const [, ...lines] = wholeSuite.texts?.get('profiles/canton-3.6.yaml')?.split('\n') ?? []
  t.equal(await readFile(join(folder, 'canton-3.6.yaml'), 'utf8'), lines.join('\n'))
})

/** Learns the line, and compares it with the profile. */
async function checked(t: Test, from: string, line: string): Promise<CalledCommand> {
  const before = process.cpuUsage()
  const ended = await call(t, () => learnCommand({ check: true, from, record: [recorded(line)] }))
  const { user, system } = process.cpuUsage(before)
  t.ok(user + system < 20_000_000, `${user + system} microseconds of processor time, less than 20 seconds`)
  return ended
}

t.test('each line matches its profile', async (t) => {
  for (const line of ['3.4', '3.5', '3.6']) {
    const { code, stdout } = await checked(t, `canton-${line}`, line)
    t.equal(code, 0, stdout)
    t.match(stdout, new RegExp(`^No drift: \\d+ rows match the profile canton-${line.replace('.', '\\.')}\\.`))
  }
})

t.test('drift is reported in groups, with the changed entries of the profile', async (t) => {
  const { code, stdout } = await checked(t, 'canton-3.5', '3.4')
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
