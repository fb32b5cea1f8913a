/** The command `learn` on a participant and on recorded runs. */
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { learnCommand } from '../../cli/commands/learn-command.js'
import type { Flags } from '../../cli/target/settings.js'
import { createParticipant, serve, startSimulator } from '../../simulator/simulator.js'
import { call, callRun } from '../support/processes/called-command.js'
import { withInterruption } from '../support/processes/program-calls.js'
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
    /1 situation with other answers:\n {2}no-contract-id: 400 INVALID_FIELD \((LOOK-WORDS\/r\d+, .*) and (\d+) more\)/.exec(
      stdout,
    )
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

t.test('a check reports other forms of accepted answers, and writes no file', async (t) => {
  const from = await profileFile('other', 'accepted: { status: 201 }\n')
  const record = [join(runs, 'latest')]
  const { code, stdout } = await learn({ suite, record, from, check: true })
  t.equal(code, 1)
  t.match(stdout, '1 other format of accepted answers:\n  accepted requests: 200 application/json')
  const same = await learn({ suite, record, check: true })
  t.equal(same.code, 0)
  t.match(same.stdout, /^No drift: \d+ rows match the profile canton-3\.5\./)
})

t.test('a check names the rows that it skips, and rejects runs without rows of the suite', async (t) => {
  const record = [join(runs, 'latest')]
  const part = join(folder, 'part')
  await cp(suite, part, { recursive: true })
  const cases = join(part, 'cases', 'contract-by-id', 'look-up.yaml')
  const text = await readFile(cases, 'utf8')
  await writeFile(cases, text.replaceAll('LOOK-WORDS', 'LOOK-OTHER'))
  const { code, stdout } = await learn({ suite: part, record, check: true })
  t.equal(code, 0)
  t.match(stdout, /^No drift: \d+ rows match .*; skipped, with other requests or .*: LOOK-WORDS\//)
  await writeFile(cases, text.replaceAll('id: LOOK-', 'id: OTHER-'))
  const none = await learn({ suite: part, record, check: true })
  t.equal(none.code, 2, none.stdout)
  t.match(none.stderr, /no row of the runs can be compared with the suite; skipped, .*LOOK-/)
})

t.test('an incomplete record is rejected', async (t) => {
  const lines = (await readFile(join(runs, 'latest', 'run.ndjson'), 'utf8')).trim().split('\n')
  const cut = join(folder, 'cut.ndjson')
  await writeFile(cut, `${lines.slice(0, -1).join('\n')}\n`)
  const { code, stderr } = await learn({ suite, record: [cut], name: 'x', write: join(folder, 'x.yaml') })
  t.equal(code, 2)
  t.match(stderr, /cut\.ndjson contains an incomplete or damaged record/)
})

t.test('options of a run have no effect on recorded runs', async (t) => {
  const { code, stderr } = await learn({ suite, record: [join(runs, 'latest')], name: 'x', requestTimeout: '5' })
  t.equal(code, 2)
  t.match(stderr, /^learn: --record reads recorded runs, so --request-timeout has no effect; remove it/)
})

t.test('an incomplete run ends with its exit code', async (t) => {
  const { code, stderr } = await withInterruption(() => learn({ ...onTarget, name: 'x' }))
  t.equal(code, 5, stderr)
  t.match(stderr, 'learn: a run did not complete; repeat the command')
})

t.test('a new profile needs a name', async (t) => {
  const { code, stderr } = await learn({ suite, record: [join(runs, 'latest')] })
  t.equal(code, 2)
  t.match(stderr, /--name my-participant/)
})

t.test('violations of the text are written as divergences beside the profile', async (t) => {
  const participant = await createParticipant()
  participant.interceptor =
    ({ handle }) =>
    async (request) => {
      const answer = await handle(request)
      return request.operation === 'contract-by-id' && answer.status === 404 ? { ...answer, status: 500 } : answer
    }
  const { url, close } = await serve(participant)
  t.teardown(() => close())
  const write = join(folder, 'faulty.yaml')
  const { code, stdout, stderr } = await learn({ ...onTarget, target: url, name: 'faulty', write })
  t.equal(code, 0, stderr)
  t.match(stdout, /faulty\.divergences\.yaml\n$/)
  t.match(await readFile(join(folder, 'faulty.divergences.yaml'), 'utf8'), /unknown-contract:[^}]*status: 500/)
})
