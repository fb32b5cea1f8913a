/** The command explore. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { exploreCommand } from '../../../cli/commands/explore-command.js'
import type { Flags } from '../../../cli/target/settings.js'
import { call } from '../../support/processes/called-command.js'
import { conform, simulate } from '../../support/processes/conform-process.js'
import '../../support/time-limit.js'

t.test('an exploration of a correct participant exits with 0 and writes its reports', async (t) => {
  const folder = t.testdir()
  const { code, stdout } = await conform('explore', '--sequences', '3', '--seed', 'command', '--out', folder)
  t.equal(code, 0, stdout)
  t.match(stdout, /requests in 3 request sequences, .* seed command:/)
  const results = join(folder, 'explore-command')
  t.match(await readFile(join(results, 'report.html'), 'utf8'), /<h1>No findings<\/h1>/)
  t.match(await readFile(join(results, 'junit.xml'), 'utf8'), /failures="0"/)
  const record = JSON.parse(await readFile(join(results, 'exploration.json'), 'utf8'))
  t.equal(record.conversations, 3)
})

t.test('a finding causes exit code 1, and its file repeats it', async (t) => {
  const folder = t.testdir()
  const target = await simulate('--mutant', 'submitted-completion-offset-zero')
  t.teardown(() => target.stop())
  const found = await conform(
    'explore',
    '--target',
    target.url,
    '--sequences',
    '20',
    '--findings',
    '1',
    '--out',
    folder,
    '--seed',
    'x',
  )
  t.equal(found.code, 1, found.stderr)
  t.match(found.stdout, /F1: /)
  const file = join(folder, 'explore-x', 'F1.json')
  const again = await call(t, () => exploreCommand({ target: target.url, replay: file }))
  t.equal(again.code, 1, again.stderr)
  t.match(again.stdout, /The finding still exists/)
  const elsewhere = await call(t, () => exploreCommand({ replay: file }))
  t.equal(elsewhere.code, 0, elsewhere.stderr)
})

t.test('an invalid call exits with 2 and names the remedy', async (t) => {
  const wrong: [Flags, number, RegExp][] = [
    [{ only: 'lookup' }, 2, /unknown operation lookup. Known operations: contract-by-id/],
    [{ budget: 'soon' }, 2, /--budget: soon is not a duration; use for example 90s, 5m or 1h/],
    [{ replay: 'nothing.json' }, 2, /--replay: nothing.json cannot be read/],
    [{ target: 'http://127.0.0.1:1', sequences: '1' }, 3, /127\.0\.0\.1:1/],
  ]
  for (const [flags, code, message] of wrong) {
    const ended = await call(t, () => exploreCommand({ ...flags, out: t.testdir() }))
    t.equal(ended.code, code, JSON.stringify(flags))
    t.match(ended.stderr, message)
  }
})
