/** Reports of hostile records are well-formed, complete, and free of markup and control characters from the record. */
import { validate } from 'ctrf'
import { XMLValidator } from 'fast-xml-parser'
import t from 'tap'
import { outgoing } from '../../lib/outgoing.js'
import type { RunRecord } from '../../record/types/record.js'
import { badgeReport } from '../../reports/formats/badge.js'
import { consoleSummary } from '../../reports/formats/console.js'
import { consoleFailures } from '../../reports/formats/console-failures.js'
import { ctrfReport } from '../../reports/formats/ctrf.js'
import { junitReport } from '../../reports/formats/junit.js'
import { tapReport } from '../../reports/formats/tap.js'
import { poisoned } from '../support/records/poisoned-record.js'
import { sampleRecord } from '../support/records/sample-record.js'
import { said, sampleJudgement, sampleRow } from '../support/records/sample-row.js'

const record = await sampleRecord([
  sampleRow('A/failed', { verdict: 'fail', judgements: [sampleJudgement({ met: false })] }),
  sampleRow('A/blocked', { verdict: 'blocked', reason: said('a reason') }),
  sampleRow('A/passed'),
])

const attacks: Readonly<Record<string, string>> = {
  markup: '</title></testcase><script>alert(1)</script><img src=x onerror=alert(1)>',
  'an attribute': '" onload="alert(1)" x=\' onload=\'alert(1)',
  'sequences of a terminal': '\u001b[2J\u009b31m\u001b]0;title\u0007\r\n\u202e\u0000',
  'a long text': 'x'.repeat(30_000),
}

function reportsOf(one: RunRecord): Record<'junit' | 'badge' | 'tap' | 'ctrf' | 'console', string> {
  const plain = { color: false }
  return {
    junit: outgoing(junitReport(one)),
    badge: outgoing(badgeReport(one)),
    tap: outgoing(tapReport(one)),
    ctrf: outgoing(ctrfReport(one)),
    console: outgoing(consoleSummary(one, plain) + consoleFailures(one, plain)),
  }
}

for (const [name, text] of Object.entries(attacks)) {
  t.test(`${name} in every member of a record`, (t) => {
    const { junit, badge, tap, ctrf, console } = reportsOf(poisoned(record, (value) => value + text))
    for (const [file, xml] of Object.entries({ junit, badge })) {
      t.equal(XMLValidator.validate(xml), true, file)
      t.notMatch(xml.replaceAll(/="[^"]*"/g, ''), /<(?:script|img)|<[^>]* onload/, file)
    }
    const parsed = JSON.parse(ctrf)
    const { summary, tests } = parsed.results
    t.same(validate(parsed).errors ?? [], [])
    t.equal(summary.tests, tests.length)
    t.equal(tests.filter(({ status }: { status: string }) => status === 'passed').length, 1)
    const points = tap.split('\n').filter((line) => /^(?:not )?ok /.test(line))
    t.equal(points.length, Number(/^1\.\.(\d+)$/m.exec(tap)?.[1]))
    for (const shown of [tap, ctrf, console, junit, badge]) t.notMatch(shown, /[^\P{Cc}\n\t]/u)
    t.end()
  })
}
