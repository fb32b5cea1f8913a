/** The command lint: sizes, warnings and errors. */
import t from 'tap'
import { lintCommand } from '../../../cli/commands/lint-command.js'
import { call } from '../../support/processes/called-command.js'
import { folderWith } from '../../support/suites/suite-folder.js'

const longLine = `The contract is unknown. ${'x'.repeat(100)}`

t.test('lint prints the size of a suite without findings', async (t) => {
  const suite = await folderWith(t)
  const { code, stdout, stderr } = await call(() => lintCommand({ suite, color: false }))
  t.strictSame({ code, stdout, stderr }, { code: 0, stdout: '3 cases, 5 rows, 4 rules: no findings\n', stderr: '' })
})

t.test('lint succeeds with warnings', async (t) => {
  const suite = await folderWith(t, ['situations.yaml', 'The contract is unknown.', longLine])
  const { code, stdout, stderr } = await call(() => lintCommand({ suite, color: false }))
  t.equal(code, 0)
  t.equal(stdout, '3 cases, 5 rows, 4 rules: 1 warning\n')
  t.match(stderr, /situations\.yaml:3:141: warning: the line has 145 characters; the limit is 140/)
})

t.test('lint prints errors before warnings, and fails', async (t) => {
  const suite = await folderWith(
    t,
    ['actors.yaml', 'actors:', `actors:\n# ${'x'.repeat(143)}`],
    ['situations.yaml', 'situations:', 'situations:\n  expired: It is too late.'],
  )
  const { code, stdout, stderr } = await call(() => lintCommand({ suite, color: false }))
  t.equal(code, 2)
  t.equal(stdout, '')
  t.match(stderr, /situations\.yaml:2:3: error: [\s\S]*actors\.yaml:2:141: warning: /)
})
