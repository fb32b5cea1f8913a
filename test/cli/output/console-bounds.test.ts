/** Long answers of a target do not fill the console. */
import t from 'tap'
import { createColors } from '../../../lib/colors.js'
import { print, printData, printError } from '../../../lib/print.js'
import { consoleFailures } from '../../../reports/formats/console-failures.js'
import { callRun } from '../../support/processes/called-command.js'
import { sampleRecord } from '../../support/records/sample-record.js'
import { proxiedSimulator } from '../../support/servers/hostile-proxy.js'

t.test('text lines have a limit, commands a longer one, data none', (t) => {
  const out = t.capture(console, 'log', () => undefined)
  const err = t.capture(console, 'error', () => undefined)
  const long = 'x'.repeat(3000)
  print(`short\n${long}\n${'😀'.repeat(300)}`)
  print(createColors(true).red(long))
  print(`  curl ${long}\n    --data-raw '${'x'.repeat(1000)}'`)
  printError(long)
  printData(long)
  const texts = (captured: typeof out) => captured().map(({ args: [text] }: { args: unknown[] }) => String(text))
  const [lines = '', colored = '', command = '', data] = texts(out)
  const cut = `${'x'.repeat(500)} … [cut: 2500 more characters]`
  t.strictSame(lines.split('\n'), ['short', cut, `${'😀'.repeat(250)} … [cut: 100 more characters]`])
  t.ok(colored.startsWith(`\u001b[31m${'x'.repeat(495)}\u001b[0m … [cut: `), 'the colour ends')
  t.match(command, /^ {2}curl x+ … \[cut: 1007 more characters\]\n {4}--data-raw 'x{1000}'$/)
  t.equal(data, long)
  t.strictSame(texts(err), [cut])
  t.end()
})

t.test('a line of text is no command of a CI service', (t) => {
  const out = t.capture(console, 'log', () => undefined)
  print('a body:\n  ::error::forged\n##[group]forged\nat a::b ##[c]\nx ##vso[task.complete]')
  print(`${createColors(true).red('::error::forged')}\n  ${createColors(true).dim('at ::b')}`)
  printData('::notice::made by the program')
  t.match(out(), [
    { args: ['a body:\n  \\::error::forged\n#\\#[group]forged\nat a::b #\\#[c]\nx #\\#vso[task.complete]'] },
    { args: ['\u001b[31m\\::error::forged\u001b[39m\n  \u001b[2mat ::b\u001b[22m'] },
    { args: ['::notice::made by the program'] },
  ])
  t.end()
})

t.test('a long request is only in the report', async (t) => {
  const record = await sampleRecord()
  const rows = record.rows.map((row) => ({
    ...row,
    evidence: row.evidence.map((one) => ({
      ...one,
      request: { ...one.request, body: { text: JSON.stringify({ party: '0'.repeat(400_000) }), bytes: 400_012 } },
    })),
  }))
  const text = consoleFailures({ ...record, rows }, { color: false })
  t.match(text, /# the request has 400\d{3} characters; the HTML report shows it\n/)
  t.ok(text.length < 20_000, `${text.length} characters`)
  t.notMatch(text, /curl/, 'no part of it is printed')
})

t.test('long strings in an answer keep the console short', async (t) => {
  const proxy = await proxiedSimulator(t)
  const value = JSON.stringify('"'.repeat(100_000))
  proxy.answerBy({
    path: '/v2/contracts/contract-by-id',
    answer: ({ status, headers, body }, response) => {
      const { 'content-length': _, ...others } = headers
      const text = body.toString('utf8').replace(/:"[^"]*"/g, () => `:${value}`)
      response.writeHead(status, others).end(text)
    },
  })
  const { code, stdout, stderr } = await callRun(t, { target: proxy.url, only: 'CBI-WITNESSES/signatory' })
  t.equal(code, 1, stderr)
  t.ok(stdout.length + stderr.length < 50_000, `${stdout.length} and ${stderr.length} characters`)
})
