/** Renamed options and commands: the old name works and prints a hint. */
import t from 'tap'
import { conform, conformIn } from '../../support/processes/conform-process.js'

t.test('an old name of an option or a list works and prints its new name', async (t) => {
  const { code, stdout, stderr } = await conform('list', 'deviations', '--only', 'without-cbi-contract-id-grammar')
  t.equal(code, 0)
  t.match(stdout, /without-cbi-contract-id-grammar/)
  t.equal(stderr, 'deviations is now mutants; the next version does not accept the old name\n')
  const unknown = await conform('simulate', '--deviation=without-everything')
  t.equal(unknown.code, 2)
  t.match(unknown.stderr, /^--deviation is now --mutant; .*\n.*without-everything/)
})

t.test('the old word remains a value of other commands', async (t) => {
  const { code, stderr } = await conform('show', 'deviations')
  t.equal(code, 2)
  t.notMatch(stderr, /is now mutants/)
})

t.test('an old name of a setting works as an option and as a variable', async (t) => {
  const dry = ['run', '--target', 'http://127.0.0.1:9', '--dry-run']
  const hint = (old: string, current: string): RegExp =>
    new RegExp(`^${old} is now ${current}; the next version does not accept the old name\n`)
  const option = await conform(...dry, '--late-look', '-1')
  t.match(option.stderr, hint('--late-look', '--late-check'))
  t.match(option.stderr, /\n.*--late-check/, 'the value has an effect')
  const variable = await conformIn({ environment: { CONFORM_LATE_LOOK: 'x', CONFORM_LATE_CHECK: '' } }, ...dry)
  t.match(variable.stderr, hint('CONFORM_LATE_LOOK', 'CONFORM_LATE_CHECK'))
  t.match(variable.stderr, /CONFORM_LATE_CHECK.*"x"|CONFORM_LATE_CHECK: /, 'the value has an effect')
})
