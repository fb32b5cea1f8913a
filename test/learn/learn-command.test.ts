/** The command `learn` on a participant and on recorded runs. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { learnCommand } from '../../cli/commands/learn-command.js'
import type { Flags } from '../../cli/target/settings.js'
import { startSimulator } from '../../simulator/simulator.js'
import { call, callRun } from '../support/processes/called-command.js'
import { refusedRows, writeLookupSuite } from '../support/suites/lookup-suite.js'

const folder = t.testdir({ suite: {}, runs: {} })
const suite = await writeLookupSuite(join(folder, 'suite'))
const simulator = await startSimulator()
t.teardown(() => simulator.close())

const runs = join(folder, 'runs')
const onTarget = { suite, target: simulator.url, out: runs, lateCheck: '0' }

async function profileFile(name: string, entries: string): Promise<string> {
  const path = join(folder, `${name}.yaml`)
  const head = `profile: ${name}\ntitle: A profile\nextends: canton-3.5\nconfidence: observed\nsource: test\n`
  await writeFile(path, `${head}${entries}`)
  return path
}

const learn = (flags: Flags) => call(() => learnCommand(flags))

t.test('learns a participant from two runs with different seeds', async (t) => {
  const from = await profileFile('before', 'situations:\n  no-contract-id: { refused: { status: 422 } }\n')
  const write = join(folder, 'learned.yaml')
  const { code, stdout, stderr } = await learn({ ...onTarget, from, name: 'learned', write })
  t.equal(code, 0, stderr)
  const learned =
    /1 situation learned:\n {2}no-contract-id: 400 INVALID_FIELD \((LOOK-WORDS\/r\d+, .*) and (\d+) more\)/.exec(stdout)
  const [, named = '', more] = learned ?? []
  t.equal(named.split(', ').length + Number(more), refusedRows, stdout)
  const text = await readFile(write, 'utf8')
  const digests = [...text.matchAll(/record sha256 ([0-9a-f]{64})/g)].map(([, digest]) => digest)
  t.equal(new Set(digests).size, 2, text)
  t.match(text, /\nsituations:\n {2}no-contract-id:/)

  // The learned profile is a file of the user, and extends another one.
  const own = await profileFile('own', text.slice(text.indexOf('situations:')))
  const judged = await callRun(t, { ...onTarget, profile: own, record: 'plain' })
  t.equal(judged.code, 0, judged.stderr)
  const before = await callRun(t, { ...onTarget, profile: from, record: 'plain' })
  t.equal(before.code, 1, 'the earlier profile does not fit')
})

t.test('drift of accepted answers is part of the difference', async (t) => {
  const from = await profileFile('other', 'accepted: { status: 201 }\n')
  const record = [join(runs, 'latest')]
  const { code, stdout } = await learn({ suite, record, from, check: true })
  t.equal(code, 1)
  t.match(stdout, 'Other forms of accepted answers:\n  accepted\n')
  t.match(stdout, '--- other\n+++ the participant\n-accepted: { status: 201 }\n+accepted: { status: 200, ')
})

t.test('an incomplete record is rejected', async (t) => {
  const lines = (await readFile(join(runs, 'latest', 'run.ndjson'), 'utf8')).trim().split('\n')
  const cut = join(folder, 'cut.ndjson')
  await writeFile(cut, `${lines.slice(0, -1).join('\n')}\n`)
  const { code, stderr } = await learn({ suite, record: [cut], name: 'x', write: join(folder, 'x.yaml') })
  t.equal(code, 2)
  t.match(stderr, /cut\.ndjson contains an incomplete or damaged record/)
})

t.test('a new profile needs a name', async (t) => {
  const { code, stderr } = await learn({ suite, record: [join(runs, 'latest')] })
  t.equal(code, 2)
  t.match(stderr, /--name my-participant/)
})
