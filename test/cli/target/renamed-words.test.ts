/** Renamed options and commands: the old name works and prints a hint. */
import t from 'tap'
import { conform } from '../../support/processes/conform-process.js'

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
