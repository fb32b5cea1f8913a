/** The command run: results, exit codes and usage errors. */
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readRun } from '../../../../cli/output/read-run.js'
import { startSimulator } from '../../../../simulator/simulator.js'
import { conform } from '../../../support/processes/conform-process.js'
import { writeLookupSuite } from '../../../support/suites/lookup-suite.js'

t.test('a failure is printed with its rule, the expected value, and a command to repeat it', async (t) => {
  const simulator = await startSimulator()
  t.teardown(() => simulator.close())
  const row = 'CBI-NOT-POPULATED/offset'
  const called = ['--target', simulator.url, '--profile', 'interface', '--out', t.testdir(), '--only', row]
  const { code, stdout } = await conform('run', ...called)
  t.equal(code, 1)
  for (const part of [row, 'lookup.yaml:', 'CBI-UNPOPULATED', 'unpopulated', `conform run --only ${row}`])
    t.ok(stdout.includes(part), part)
  t.match(stdout, `curl -sS -i -X POST '${simulator.url}/`)
})

t.test('a pattern selects rows, and a pattern without rows is an error', async (t) => {
  const simulator = await startSimulator()
  t.teardown(() => simulator.close())
  const out = t.testdir()
  const run = (only: string) => conform('run', '--target', simulator.url, '--out', out, '--only', only)
  t.equal((await run('CBI-WITNESSES')).code, 0)
  t.ok((await readRun(out)).rows.every(({ resolved }) => resolved.case === 'CBI-WITNESSES'))
  const latest = await readlink(join(out, 'latest'))
  t.match(await run('NO-SUCH-ROW'), { code: 2, stderr: 'NO-SUCH-ROW' })
  t.equal(await readlink(join(out, 'latest')), latest, 'latest still points to the earlier run')
  t.equal((await run('CBI-RIGHTS')).code, 5, 'no row is applicable')
  t.match(await readRun(out), { footer: { counts: { pass: 0 }, conforming: false } })
})

t.test('a target that cannot be reached or prepared ends with 3', async (t) => {
  const missing = await conform('run', '--target', 'http://127.0.0.1:1', '--out', t.testdir())
  t.match(missing, { code: 3, stderr: /^http:\/\/127\.0\.0\.1:1\/v2\/version: .*ECONNREFUSED.*\n$/ })
  const simulator = await startSimulator({ authorization: 'hs256:secret' })
  t.teardown(() => simulator.close())
  const without = await conform('run', '--target', simulator.url, '--out', t.testdir())
  t.match(without, { code: 3, stderr: /participant-id .* returned 401/ }, 'without a token')
})

t.test('invalid calls exit with 2 and name the remedy', async (t) => {
  const target = 'http://127.0.0.1:1'
  const mistakes: [options: string[], message: string][] = [
    [['run', '--profil', 'x'], '(Did you mean --profile?)'],
    [
      ['run', '--profile', 'canton'],
      'profile: unknown profile canton; known: canton-3.4, canton-3.5, canton-3.6, interface',
    ],
    [['run', '--concurrency', 'many'], 'expected a whole number'],
    [['run', '--concurrency', '0'], 'from 1 to 999999'],
    [['run', '--target', 'participant.example'], 'target: participant.example'],
    [['run', '--target', target, '--authorization', 'hs512:x'], 'authorization: '],
    [['reun'], '(Did you mean run?)'],
  ]
  for (const [options, message] of mistakes)
    t.match(await conform(...options), { code: 2, stdout: '', stderr: message }, options.join(' '))
})

t.test('errors in suite files are printed with file, line, column and a suggestion', async (t) => {
  const suite = await writeLookupSuite(t.testdir())
  const path = join(suite, 'cases/contract-by-id/look-up.yaml')
  const right = await readFile(path, 'utf8')
  const out = join(suite, 'out')
  const errorsOf = async (text: string): Promise<string> => {
    await writeFile(path, text)
    const { code, stderr } = await conform('run', '--suite', suite, '--out', out)
    t.equal(code, 2)
    return stderr
  }
  t.match(
    await errorsOf(right.replace('outcome: accepted', 'outcom: accepted')),
    /look-up\.yaml:\d+:\d+: error: unknown key "outcom"[\s\S]*did you mean "outcome"/,
  )
  t.match(
    await errorsOf(right.replace('[LOOK-REFUSED]', '[LOOK-REFUSD]')),
    /look-up\.yaml:\d+:\d+: error: unknown rule "LOOK-REFUSD"[\s\S]*LOOK-REFUSED/,
  )
  t.notOk((await readdir(suite)).includes('out'), 'no results folder is created')
})
