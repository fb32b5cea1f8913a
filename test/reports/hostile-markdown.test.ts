/** Markdown reports contain no markup from a record. */
import t from 'tap'
import type { RunRecord } from '../../record/types/record.js'
import { diffMarkdown } from '../../reports/compare/diff-markdown.js'
import { markdownReport } from '../../reports/formats/markdown.js'
import { compareRuns } from '../../reports/summary/compare-runs.js'
import { factsOf } from '../../reports/summary/run-facts.js'
import { poisoned } from '../support/records/poisoned-record.js'
import { sampleRecord } from '../support/records/sample-record.js'
import { said, sampleJudgement, sampleRow } from '../support/records/sample-row.js'

const hostile =
  '</details><img src=x onerror=a> [link](http://evil.example) ![i](x) www.evil.example `<b>` | @all\n# head\n<!--'

function markup(text: string): string[] {
  const prose = text.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, 'code')
  return [...prose.matchAll(/<[a-z!/]|(?<!\\)\]\(|\bwww\.|\w:\/\/|(?<!\\)@|^# head/gim)].map(({ index }) =>
    prose.slice(Math.max(0, index - 40), index + 40),
  )
}

function difference(before: RunRecord, after: RunRecord): string {
  const [old, now] = [factsOf(before), factsOf(after)]
  return diffMarkdown(old, now, compareRuns(old, now))
}

t.test('no member of a record becomes markup', async (t) => {
  const rows = [
    sampleRow('A/failed', { verdict: 'fail', judgements: [sampleJudgement({ met: false })] }),
    sampleRow('A/blocked', { verdict: 'blocked', reason: said('a fixture failed') }),
  ]
  const record = await sampleRecord(rows)
  const bad = poisoned(record, (text) => text + hostile)
  const good = await sampleRecord([sampleRow('A/failed'), sampleRow('A/blocked')])
  t.ok(markup(hostile).length > 4, 'the test recognizes markup')
  t.strictSame(markup(markdownReport(bad)), [])
  t.strictSame(markup(difference(good, bad)), [])
  t.strictSame(markup(difference(bad, good)), [])
})

t.test('a report that is too long ends before a name, not in it', async (t) => {
  const { header, ...rest } = await sampleRecord()
  const names = Array.from({ length: 400 }, () => `<img src=x> @all ${'x'.repeat(200)}`)
  for (let shift = 0; shift < 250; shift += 50) {
    const target = { ...header.target, embedded: false }
    const made = { users: [], rights: [], contracts: [], packages: [], parties: ['y'.repeat(shift + 1), ...names] }
    const text = markdownReport({ ...rest, header: { ...header, target, made } })
    t.match(text, /… cut: the report is too long; see the other reports\.\n$/)
    t.strictSame(markup(text), [])
  }
})
