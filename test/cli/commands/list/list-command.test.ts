/** The commands list and list rules. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { conform, conformIn, type Ended } from '../../../support/processes/conform-process.js'
import { writeLookupSuite } from '../../../support/suites/lookup-suite.js'

/** A suite with a statement that CSV must quote. */
async function quotingSuite(t: Test): Promise<string> {
  const suite = await writeLookupSuite(t.testdir())
  const file = join(suite, 'rules/general.yaml')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('Clients are kind.', `'Clients send "please", and wait.'`))
  return suite
}

function expectItems(t: Test, { code, stdout, stderr }: Ended, items: object[]): void {
  t.equal(code, 0, stderr)
  t.match(JSON.parse(stdout), items)
}

t.test('list selects rows by case, or by words of their titles', async (t) => {
  const suite = await quotingSuite(t)
  const known = { id: 'LOOK-KNOWN/only', case: 'LOOK-KNOWN', operation: 'contract-by-id', rules: ['LOOK-FOUND'] }
  expectItems(t, await conform('list', '--suite', suite, '--only', 'LOOK-KNOWN', '--json'), [known])
  expectItems(t, await conform('list', '--suite', suite, '--only', 'FOUND by its', '--json'), [known])
  const lines = await conform('list', '--suite', suite, '--only', 'LOOK-KNOWN')
  t.match(lines, { code: 0, stdout: /^LOOK-KNOWN\/only .*contract-by-id.* LOOK-FOUND\n/ })
  const table = await conform('list', '--suite', suite, '--only', 'LOOK-KNOWN', '--csv')
  t.match(table.stdout, /^id,case,operation,impact,needs,rules,title\r\nLOOK-KNOWN\/only,[^\n]*\n$/)
  t.match(await conform('list', '--suite', suite, '--only', 'no such title'), { code: 2, stderr: 'no such title' })
})

t.test('list rules selects rules by id, or by words of their statements, with their cases', async (t) => {
  const suite = await quotingSuite(t)
  const found = { id: 'LOOK-FOUND', strength: 'must', cases: ['LOOK-KNOWN'], passages: ['Lookups 1.5 (paragraph 5)'] }
  expectItems(t, await conform('list', 'rules', '--suite', suite, '--only', 'LOOK-FOUND', '--json'), [found])
  expectItems(t, await conform('list', 'rules', '--suite', suite, '--only', 'found BY its', '--json'), [found])
  const lines = await conform('list', 'rules', '--suite', suite, '--only', 'LOOK-FOUND')
  t.match(lines, { code: 0, stdout: /^LOOK-FOUND .*\n.*paragraph 5.*\n.*LOOK-KNOWN/ })
  const quoted = await conform('list', 'rules', '--suite', suite, '--only', 'LOOK-CLIENT', '--csv')
  t.match(quoted.stdout, ',"Clients send ""please"", and wait.",')
  const both = await conform('list', 'rules', '--suite', suite, '--json', '--csv')
  t.match(both, { code: 2, stderr: 'json: choose either --json or --csv\n' })
  const nothing = await conform('list', 'rules', '--suite', suite, '--only', 'NO-SUCH-RULE')
  t.match(nothing, { code: 2, stderr: 'NO-SUCH-RULE', stdout: '' })
})

t.test('list support counts the rows that need more than operations', async (t) => {
  const whole = await conform('list', 'support')
  t.match(whole, { code: 0, stdout: /\n\d+ more rows need tokens, a second synchronizer or --allow hazard\n$/ })
  const suite = t.testdir()
  await writeLookupSuite(suite)
  const small = await conform('list', 'support', '--suite', suite)
  t.match(small, { code: 0, stdout: 'Presigned transactions replace prepare.' })
  t.notMatch(small.stdout, 'more rows')
})

t.test('the commands that read the suite take suite and profile from conform.yaml', async (t) => {
  const folder = t.testdir({ 'conform.yaml': 'suite: ./suite\n', suite: {} })
  await writeLookupSuite(join(folder, 'suite'))
  for (const words of [['list'], ['list', 'rules'], ['show', 'LOOK-KNOWN/only'], ['lint']])
    t.match(await conformIn({ folder }, ...words), { code: 0, stdout: /LOOK-|3 cases/ }, words.join(' '))
  const unknown = await conformIn({ folder }, 'list', 'support', '--operations', 'execute')
  t.match(unknown, { code: 2, stderr: 'no rows test execute' })
  await writeFile(join(folder, 'conform.yaml'), 'profile: no-such\n')
  for (const words of [['list'], ['list', 'support'], ['show', 'LOOK-KNOWN/only']])
    t.match(await conformIn({ folder }, ...words), { code: 2, stderr: 'unknown profile no-such' }, words.join(' '))
})
