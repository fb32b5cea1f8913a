/** The command explore. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { exploreCommand } from '../../../cli/commands/explore-command.js'
import type { Flags } from '../../../cli/target/settings.js'
import { findOverrides } from '../../../lab/find-overrides.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { call } from '../../support/processes/called-command.js'
import { conform } from '../../support/processes/conform-process.js'

t.test('a finding causes exit code 1, is in each report, and its file repeats it', async (t) => {
  const out = t.testdir()
  const overrides = findOverrides({ mutant: 'looked-up-contract-id-left-out' })
  const [faulty, correct] = await Promise.all([startSimulator({ overrides }), startSimulator()])
  t.teardown(() => Promise.all([faulty.close(), correct.close()]))
  const limits = ['--only', 'contract-by-id', '--sequences', '20', '--findings', '1', '--concurrency', '1']
  const found = await conform('explore', '--target', faulty.url, ...limits, '--out', out, '--seed', 'x')
  t.equal(found.code, 1, found.stderr)
  t.match(found.stdout, /^F1: /m)
  const folder = join(out, 'explore-x')
  t.match(JSON.parse(await readFile(join(folder, 'exploration.json'), 'utf8')), { findings: { length: 1 } })
  t.match(await readFile(join(folder, 'report.html'), 'utf8'), 'F1')
  const file = join(folder, 'F1.json')
  const again = await conform('explore', '--target', faulty.url, '--replay', file)
  t.equal(again.code, 1)
  const [, pointer = ''] = /contract-by-id (\/\S+): reference/.exec(found.stdout) ?? []
  t.match(pointer, /^\//, found.stdout)
  t.match(again.stdout, `\nThe finding still exists, at ${pointer}.\n`)
  t.match(again.stdout, /: reference 200 application\/json, target 200 application\/json\n/)
  t.equal((await conform('explore', '--target', correct.url, '--replay', file)).code, 0)
})

t.test('an invalid call exits with 2 and names the remedy', async (t) => {
  const wrong: [Flags, number, RegExp][] = [
    [{ only: 'lookup' }, 2, /unknown operation lookup. Known operations: contract-by-id/],
    [{ budget: 'soon' }, 2, /--budget: soon is not a duration; use for example 90s, 5m or 1h/],
    [{ replay: 'nothing.json' }, 2, /^nothing.json cannot be read/m],
    [{ target: 'http://127.0.0.1:1', sequences: '1' }, 3, /127\.0\.0\.1:1/],
  ]
  for (const [flags, code, message] of wrong) {
    const ended = await call(() => exploreCommand({ ...flags, out: t.testdir() }))
    t.equal(ended.code, code, JSON.stringify(flags))
    t.match(ended.stderr, message)
  }
})

t.test('a call that ends before its exploration leaves no signal handler', async (t) => {
  const before = process.listenerCount('SIGINT')
  const ended = await call(() => exploreCommand({ against: 'nowhere', out: t.testdir() }))
  t.equal(ended.code, 2, ended.stderr)
  t.equal(process.listenerCount('SIGINT'), before)
})
