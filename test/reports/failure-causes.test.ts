/** Causes of failures, on the console and in the other formats. */
import t from 'tap'
import { rulesOf } from '../../record/judgements/rule-verdicts.js'
import type { CheckedFact, Reason } from '../../record/types/reason.js'
import type { RunRow } from '../../record/types/record.js'
import type { Verdict } from '../../record/types/verdict.js'
import { consoleSummary } from '../../reports/formats/console.js'
import { consoleFailures } from '../../reports/formats/console-failures.js'
import { ctrfReport } from '../../reports/formats/ctrf.js'
import { junitReport } from '../../reports/formats/junit.js'
import { markdownReport } from '../../reports/formats/markdown.js'
import { tapReport } from '../../reports/formats/tap.js'
import { failureCauses } from '../../reports/summary/failure-causes.js'
import { startSimulator } from '../../simulator/simulator.js'
import { conform } from '../support/processes/conform-process.js'
import { readJunit, readTap } from '../support/records/read-formats.js'
import { failedRow, titledCauses } from '../support/records/sample-causes.js'
import { sampleHeader, sampleRecord } from '../support/records/sample-record.js'
import { said, sampleEvidence, sampleJudgement, sampleRow } from '../support/records/sample-row.js'

const serverError = (id: string, wanted: string): RunRow => failedRow(id, [{ wanted: [wanted], found: ['503'] }])

t.test('an expectation of the profile states whether its rows break the text, too', async (t) => {
  const tagOf = (...byText: (Verdict | undefined)[]): string | undefined => {
    const rows = byText.map((verdictByText, index) =>
      failedRow(`A/${index}`, [{ rules: ['SAW-4'], confidence: 'observed', wanted: ['403'], found: ['200'] }], {
        ...(verdictByText && { verdictByText }),
      }),
    )
    return failureCauses(rows, sampleHeader())[0]?.tag
  }
  const own = 'SAW-4, expectation of the profile, observed on a live participant'
  t.equal(tagOf('fail'), `${own}; by the text alone, the row fails, too`)
  t.equal(tagOf('fail', 'fail'), `${own}; by the text alone, the rows fail, too`)
  for (const open of [['pass'], ['fail', 'pass'], [undefined]] as const) t.equal(tagOf(...open), own)
})

t.test('a shortened command keeps the comments before it', async (t) => {
  const header = sampleHeader({
    target: { url: 'http://127.0.0.1:1', authorization: 'given', embedded: false },
    callers: [{ actor: 'alice', user: 'ann', made: true, credential: 'minted' }],
  })
  const judgements = Array.from({ length: 20 }, (_, index) => ({ wanted: ['200'], found: [String(400 + index)] }))
  const record = await sampleRecord([failedRow('SAW-CREATE/plain', judgements)])
  const shown = consoleFailures({ ...record, header }, { color: false })
  t.match(shown, /see the reports\n *# actor alice.*\n *# The run deactivated this user .*\n *TOKEN=.*\n *curl -sS/)
})

t.test('one outage is one cause for all expectations', async (t) => {
  const unmet: CheckedFact = { subject: 'status', check: 'status', wanted: ['200'], found: ['503'] }
  const because: Reason = { code: 'unexpected-answer', step: 'create', operation: 'submit-and-wait', unmet }
  const rows = [
    serverError('A/1', '200'),
    serverError('A/2', '400'),
    serverError('A/3', '404'),
    sampleRow('A/4', {
      verdict: 'blocked',
      reason: { code: 'fixture-failed', fixture: 'note', because },
      judgements: [],
    }),
    sampleRow('A/5', {
      verdict: 'blocked',
      reason: { code: 'setup-failed', step: 'create', unmet },
      judgements: [sampleJudgement({ role: 'arrange', found: ['503'], met: false })],
    }),
    sampleRow('A/8', {
      verdict: 'blocked',
      reason: { code: 'nothing-accepted', operation: 'execute', because },
      judgements: [],
    }),
    failedRow('A/6', [{ found: ['404'] }]),
    failedRow('A/7', [{ subject: 'answer', check: 'answer', wanted: [], found: ['timeout', 'no answer within 30 s'] }]),
  ]
  t.same(titledCauses(rows), [
    ['server error 503', ['A/1', 'A/2', 'A/3', 'A/4', 'A/5', 'A/8']],
    ['status: expected 200, found 404', ['A/6']],
    ['no response: no answer within 30 s', ['A/7']],
  ])
})

t.test('the first 40 lines of the console contain cause, first row and curl command', async (t) => {
  const simulator = await startSimulator({ control: true })
  t.teardown(() => simulator.close())
  // No response is valid JSON.
  const fault = { kind: 'garbage', operation: 'contract-by-id' }
  await fetch(`${simulator.url}/control/faults`, { method: 'POST', body: JSON.stringify(fault) })
  const { code, stdout } = await conform(
    'run',
    '--target',
    simulator.url,
    '--only',
    'CBI-MEMBERS',
    'CBI-WITNESSES',
    'CBI-PARTY-FORM',
    '--out',
    t.testdir(),
  )
  t.equal(code, 1)
  const top = stdout.split('\n').slice(0, 40).join('\n')
  const [, first] = /✗ fail {2}(\S+)/.exec(top) ?? []
  t.match(top, /\n✗ \d+ rows? {2}a response that is not JSON/)
  t.ok(first, 'the first row')
  t.match(top, `curl -sS -i -X POST '${simulator.url}/v2/contracts/contract-by-id'`)
  t.match(top, `conform run --only ${first}`)
  t.equal(stdout.match(/^✗ \d+ rows? /gm)?.length, 1, 'one fault is one cause')
})

t.test('failures explained by a divergence have it as their cause, after all other causes', async (t) => {
  const rows = [failedRow('A/1', [{ found: ['400'], divergence: 'D-3' }]), failedRow('A/5', [{ found: ['404'] }])]
  const causes = failureCauses(rows, sampleHeader())
  t.match(causes, [
    {
      title: 'The answer carries the id of the resulting transaction.',
      tag: 'SAW-1, mandatory, section 3.2',
      differences: [{ text: 'status: expected 200, found 404', rows: 1 }],
    },
    { title: 'A wrong argument kind is answered by 500.', tag: 'D-3, divergence of canton-3.5 from GEN-9' },
  ])
  t.equal(causes.length, 2)
})

t.test('a cause of blocked rows is not a failure, and a server error names the rules that it breaks', async (t) => {
  const unmet = { found: ['404'], role: 'arrange' as const }
  const rows = [
    { ...failedRow('A/1', [unmet]), verdict: 'blocked' as const },
    { ...failedRow('A/2', [{ found: ['400'], divergence: 'D-3' }]), verdict: 'blocked' as const },
    failedRow('A/3', [{ found: ['500'], rules: ['SAW-1', 'SAW-4'] }]),
    failedRow('A/4', [{ found: ['500'], rules: ['X-1', 'X-2'] }]),
  ]
  t.strictSame(
    failureCauses(rows, sampleHeader()).map(({ title, tag, isBlocked }) => [title, tag, isBlocked]),
    [
      ['server error 500', 'SAW-1, SAW-4, X-1, and 1 more', false],
      ['The answer carries the id of the resulting transaction.', 'SAW-1, mandatory, section 3.2', true],
      ['A wrong argument kind is answered by 500.', 'D-3, divergence of canton-3.5 from GEN-9', true],
    ],
  )
  t.match(consoleFailures(await sampleRecord(rows), { color: false }), ' blocked; SAW-1, mandatory, section 3.2\n')
  t.match(markdownReport(await sampleRecord(rows)), /\n### 1 blocked row: The answer carries/)
})

t.test('a cause with several differences begins with a row of each', (t) => {
  const body = (pointer: string) => ({ subject: 'body', pointer, wanted: ['"a"'], found: [] })
  const rows = [failedRow('A/1', [body('/a')]), failedRow('A/2', [body('/a')]), failedRow('A/3', [body('/b')])]
  t.match(failureCauses(rows, sampleHeader()), [
    {
      differences: [
        { text: 'body /a: missing', rows: 2 },
        { text: 'body /b: missing', rows: 1 },
      ],
      rows: [{ id: 'A/1' }, { id: 'A/3' }, { id: 'A/2' }],
    },
  ])
  t.end()
})

t.test('a difference without a divergence has its own cause', (t) => {
  const missing = { subject: 'body', pointer: '/a', wanted: ['"a"'], found: [] }
  const divergent = { subject: 'body', pointer: '/b', wanted: ['1'], found: ['2'], divergence: 'D-3' }
  const rows = [failedRow('A/1', [divergent, missing]), failedRow('A/2', [missing]), failedRow('A/3', [divergent])]
  t.same(titledCauses(rows), [
    ['body /a: missing', ['A/1', 'A/2']],
    ['A wrong argument kind is answered by 500.', ['A/3']],
  ])
  t.end()
})

t.test('the same finding at another kind of step is another cause', async (t) => {
  const rows = [
    failedRow('A/1', [{ found: ['404'], rules: ['SAW-1', 'SAW-4'] }]),
    failedRow('A/2', [{ found: ['404'], rules: ['SAW-4'] }]),
    failedRow('A/3', [{ found: ['404'], role: 'probe-after', step: 0, expectation: 1 }]),
  ]
  t.same(titledCauses(rows), [
    ['status: expected 200, found 404', ['A/1', 'A/2']],
    ['probe after, status: expected 200, found 404', ['A/3']],
  ])
  const causes = failureCauses([...rows, failedRow('A/4', [{ found: ['404'], rules: ['X-1'] }])], sampleHeader())
  t.match(
    causes.map(({ tag, differences }) => [tag, differences]),
    [
      ['SAW-4, mandatory, section 3.4', [{ text: 'status: expected 200, found 404', rows: 2 }]],
      ['SAW-1, mandatory, section 3.2', [{ text: 'probe after, status: expected 200, found 404', rows: 1 }]],
      ['X-1, not in the record', []],
    ],
  )
})

t.test('the console prints cause, first row and curl command in 34 lines, and at most 200 lines', async (t) => {
  const judgements = Array.from({ length: 20 }, (_, index) => ({
    pointer: `/member${index}`,
    subject: 'body',
    found: ['1'],
  }))
  const wide = Array.from({ length: 30 }, (_, index) =>
    failedRow(`WIDE/${index}`, judgements, { evidence: [sampleEvidence()] }),
  )
  const others = Array.from({ length: 300 }, (_, index) => failedRow(`OTHER/${index}`, [{ rules: [`X-${index}`] }]))
  const record = await sampleRecord([...wide, ...others])
  const lines = consoleFailures(record, { color: false }).split('\n')
  const top = lines.slice(0, 34).join('\n')
  t.match(
    top,
    /^✗ 30 rows {2}The answer carries the id of the resulting transaction\. {2}SAW-1, mandatory, section 3\.2\n/,
  )
  t.match(top, '\n  30× body /member0: wrong number; for example ')
  t.match(top, '✗ fail  WIDE/0')
  t.match(top, 'curl -sS -i -X POST')
  t.match(top, 'conform run --only WIDE/0')
  t.match(top, /\.\.\. \d+ more lines: see the reports/)
  t.match(lines.at(-2), /^\.\.\. \d+ more causes with \d+ rows: see the reports$/)
  const all = lines.length + consoleSummary(record, { color: false }).split('\n').length
  t.ok(all <= 200, `${all} lines`)
  t.equal(consoleFailures(await sampleRecord([sampleRow('A/1')]), { color: false }), '')
})

t.test('every format names each observed divergence, with the behavior of the target', async (t) => {
  const rows = [
    sampleRow('A/1', { judgements: [sampleJudgement({ divergence: 'D-3' })] }),
    sampleRow('A/2', {
      verdict: 'follows-the-text',
      reason: said('it follows the text'),
      judgements: [sampleJudgement({ divergence: 'D-3', found: ['400'], met: false })],
      known: ['D-3'],
    }),
    failedRow('A/3', [{ divergence: 'D-3', found: ['404'] }]),
  ]
  const record = await sampleRecord(rows)
  const words = '1 row matches canton-3.5, 1 row matches the text, 1 row matches neither'
  t.match(
    consoleSummary(record, { color: false }),
    '\n1 recorded divergence of canton-3.5 from the text: the target matches neither in 1 (summary.md lists them)\n',
  )
  t.match(tapReport(record), `\n# divergence D-3: ${words}\n`)
  t.match(markdownReport(record), `\n- \`D-3\`: A wrong argument kind is answered by 500. ${words}\n`)
  const properties = readJunit(junitReport(record)).testsuite[0]?.properties.property
  t.match(
    properties?.find(({ name }) => name === 'divergence D-3'),
    { value: words },
  )
  const { results } = JSON.parse(ctrfReport(record))
  t.match(results.summary.extra.divergences, [{ id: 'D-3', shared: 1, followsTheText: 1, neither: 1 }])
  t.match(results.tests[1], { status: 'passed', rawStatus: 'follows-the-text', extra: { divergences: ['D-3'] } })

  t.match(record.footer, { conforming: false, counts: { 'follows-the-text': 1, fail: 1 } })
  const both = await sampleRecord([
    ...rows.slice(0, 2),
    failedRow('A/4', [{ divergence: 'D-3', found: ['400'] }], { verdictByText: 'pass' }),
  ])
  t.match(
    markdownReport(both),
    '\n1 recorded divergence of canton-3.5 from the text: the target follows the text in 1.\n',
  )
  t.match(
    markdownReport(both),
    '1 row matches canton-3.5, 2 rows match the text\n',
    'another expectation fails the row',
  )
  t.match((await sampleRecord(rows.slice(0, 2))).footer, { conforming: true }, 'following the text is no failure')
  t.same(rulesOf(rows[1] ?? sampleRow('none')), [['SAW-1', 'follows-the-text']], 'its rule is not unmet')
  t.equal((await readTap(tapReport(record))).fail, 1)
  t.notMatch(junitReport(await sampleRecord(rows.slice(0, 2))), '<failure')
})
