/** Reading the interface text, and quoting its passages. Small texts in its form. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { listRulesCommand } from '../../../cli/commands/list/list-rules-command.js'
import { reportCommand } from '../../../cli/commands/report-command.js'
import { showCommand } from '../../../cli/commands/show-command.js'
import { explain } from '../../../cli/console/failure.js'
import { sha256 } from '../../../interface/crypto-hash.js'
import { UsageError } from '../../../lib/usage-error.js'
import { passagesOf } from '../../../runner/text/passages.js'
import { call } from '../../support/processes/called-command.js'
import { conform } from '../../support/processes/conform-process.js'
import { sampleHeader, writeSample } from '../../support/records/sample-record.js'
import { sampleJudgement, sampleRow } from '../../support/records/sample-row.js'
import { folderWith } from '../../support/suites/suite-folder.js'

const text = `# A service

It covers all. Every operation.

## Endpoints

All endpoints: method \`POST\`.

### 1. POST /v2/create (with a remark)

| Field | Type | Required | Rules |
|---|---|---|---|
| name | string | yes | Must be set. \`a\\|b\` is valid. |
| size | integer | no | |

Rules of the table:
1. One size. Another one.
2. A rule.

## Errors

- Statuses: not shown.
- Shape: not shown.
- Codes: not shown.
`

t.test('each passage has its section, its place and its sentence', (t) => {
  t.strictSame(Object.fromEntries(passagesOf(text)), {
    'Introduction > paragraph 1.1': 'It covers all.',
    'Introduction > paragraph 1.2': 'Every operation.',
    'Endpoints > paragraph 1': 'All endpoints: method `POST`.',
    'Endpoint 1 > name type': 'string',
    'Endpoint 1 > name required': 'yes',
    'Endpoint 1 > name rule 1': 'Must be set.',
    'Endpoint 1 > name rule 2': '`a|b` is valid.',
    'Endpoint 1 > size type': 'integer',
    'Endpoint 1 > size required': 'no',
    'Endpoint 1 > paragraph 1': 'Rules of the table:',
    'Endpoint 1 > rule 1.1': 'One size.',
    'Endpoint 1 > rule 1.2': 'Another one.',
    'Endpoint 1 > rule 2': 'A rule.',
    'Errors > item 1': 'Statuses: not shown.',
    'Errors > item 2': 'Shape: not shown.',
    'Errors > item 3': 'Codes: not shown.',
  })
  t.end()
})

const digest = sha256(text).toString('hex')

t.test('show and list rules quote the sentence beside the rule, and otherwise only name its place', async (t) => {
  const suite = await folderWith(t, ['outline.yaml', 'ab'.repeat(32), digest])
  const file = join(suite, '../text.md')
  await writeFile(file, text)
  const printed = async (command: Parameters<typeof call>[0]): Promise<string> => (await call(command)).stdout
  const rules = await printed(() => listRulesCommand({ suite, text: file, only: 'GEN-POST' }))
  t.match(rules, '\n    Endpoints 1.1 (paragraph 1): "All endpoints: method `POST`."\n')
  t.match(await printed(() => listRulesCommand({ suite, only: 'GEN-POST' })), '\n    Endpoints 1.1 (paragraph 1)\n')
  const shown = await printed(() => showCommand('*', { suite, text: file, profile: 'interface' }))
  t.match(shown, /GEN-POST \(mandatory\): .* \[Endpoints 1\.1 \(paragraph 1\): "All endpoints: method `POST`\."\]/)
})

t.test('reports quote the sentence beside the rule', async (t) => {
  const folder = t.testdir({ 'text.md': text })
  const [rule] = sampleHeader().rules
  if (!rule) throw new Error('the sample has no rule')
  const header = {
    text: { title: 'The text', version: '7', digest },
    rules: [{ ...rule, id: 'SAW-1', passages: ['Errors 2.1 (item 1)', 'Errors 2.9 (item 9)'] }],
  }
  const row = sampleRow('A/1', { verdict: 'fail', judgements: [sampleJudgement({ found: ['404'], met: false })] })
  await writeSample(join(folder, 'run.ndjson'), [row], header)
  const flags = { format: ['html', 'markdown'], color: false, text: join(folder, 'text.md') }
  const { stdout } = await call(() => reportCommand(folder, flags))
  const quoted = 'Errors 2.1 (item 1): "Statuses: not shown."; Errors 2.9 (item 9)'
  t.match(stdout, `[${quoted}]`)
  const page = await readFile(join(folder, 'report.html'), 'utf8')
  t.match(page, 'Errors 2.1 (item 1): &quot;Statuses: not shown.&quot; · ', 'beside the failure')
  t.match(page, '<span class="sentence">Statuses: not shown.</span>', 'in the view of the text')
  t.notMatch(await readFile(join(folder, 'run.ndjson'), 'utf8'), 'not shown', 'the record has no sentence of the text')
})

t.test('a run prints the digest of the text, and its report quotes it', async (t) => {
  const suite = await folderWith(t, ['outline.yaml', 'ab'.repeat(32), digest])
  const [file, out] = [join(suite, '../text.md'), join(suite, '../results')]
  await writeFile(file, text)
  const run = await conform('run', '--suite', suite, '--profile', 'interface', '--text', file, '--out', out)
  t.match(run.stdout, `text.md: SHA-256 ${digest}\n`, run.stderr)
  t.match(await readFile(join(out, 'latest/report.html'), 'utf8'), '<span class="sentence">Statuses: not shown.</span>')
  t.notMatch((await conform('record', out)).stdout, 'Statuses: not shown')
  t.match(await conform('run', '--suite', suite, '--text', join(suite, 'suite.yaml'), '--out', out), { code: 2 })
})

t.test('another file than the text of the outline ends with 2', async (t) => {
  const suite = await folderWith(t)
  const file = join(suite, 'suite.yaml')
  const error: unknown = await listRulesCommand({ suite, text: file }).catch((found: unknown) => found)
  t.ok(error instanceof UsageError)
  t.match(explain(error, false), {
    code: 2,
    text: /^text: .*suite\.yaml has the digest [0-9a-f]{64}, but the outline belongs to The text \(7\) with the digest (?:ab){32}; pass that file$/,
  })
  const without = await folderWith(t, [
    'outline.yaml',
    `text: { title: The text, version: '7', digest: ${'ab'.repeat(32)} }\n`,
    '',
  ])
  t.match(await listRulesCommand({ suite: without, text: file }).catch((found: unknown) => found), {
    message: /^text: neither the suite nor the record names an interface text/,
  })
})
