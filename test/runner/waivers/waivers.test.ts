/** Waivers: the failures that they excuse, their own findings, and exit codes. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { waiverFindings } from '../../../record/judgements/waiver-findings.js'
import { waiversOf, withWaivers } from '../../../record/judgements/waivers.js'
import type { Judgement, RunHeader, RunRow } from '../../../record/types/record.js'
import type { RecordedWaiver } from '../../../record/types/recorded-options.js'
import type { Verdict } from '../../../record/types/verdict.js'
import { conclude } from '../../../reports/summary/conclusion.js'
import { suggestedWaivers } from '../../../reports/summary/suggest-waivers.js'
import { judgeAgain } from '../../../runner/judge/judge-again.js'
import { readWaivers, waiversFor } from '../../../runner/waivers/read-waivers.js'
import { FindingsError, formatFindings } from '../../../runner/yaml/findings.js'
import { conform } from '../../support/processes/conform-process.js'
import { sampleHeader, sampleRecord } from '../../support/records/sample-record.js'
import { said, sampleEvidence, sampleJudgement, sampleRow } from '../../support/records/sample-row.js'

const until = '2026-12-31'
const waiver = (about: Partial<RecordedWaiver>): RecordedWaiver => ({
  reason: 'we know',
  owner: 'Ann',
  until,
  ...about,
})

const failed = (judgements: Partial<Judgement>[], more: Partial<RunRow> = {}): RunRow =>
  sampleRow('A/1', {
    verdict: 'fail',
    reason: said('no'),
    judgements: judgements.map((one) => sampleJudgement({ met: false, ...one })),
    ...more,
  })

const waived = (row: RunRow, ...waivers: RecordedWaiver[]): RunRow =>
  withWaivers(row, waiversOf(sampleHeader({ waivers, plan: [row.id] })))

t.test('a row is excused if waivers cover all its failures', async (t) => {
  const two = failed([{ rules: ['SAW-1'] }, { rules: ['SAW-4', 'GEN-9'] }])
  t.match(waived(two, waiver({ row: 'A/*' })), {
    verdict: 'excused',
    reason: said('no'),
    waiver: { owner: 'Ann', until },
  })
  t.match(
    waived(two, waiver({ rule: 'SAW-1' })),
    { verdict: 'fail', reason: said('no') },
    'the other rule is not covered',
  )
  t.match(waived(two, waiver({ rule: 'SAW-1' }), waiver({ rule: 'GEN-*' })), { verdict: 'excused' })
  const advice = failed([{ rules: ['SAW-1'] }, { rules: ['GEN-7'], strength: 'should' }])
  t.match(waived(advice, waiver({ rule: 'SAW-1' })), { verdict: 'excused' }, 'an unmet should is no failure')
  const diverging = failed([{ rules: ['SAW-1'], divergence: 'D-9' }])
  t.match(waived(diverging, waiver({ divergence: 'D-9' })), { verdict: 'excused' })
  t.match(waived(failed([{ divergence: 'D-3' }, {}]), waiver({ divergence: 'D-3' })), { verdict: 'fail' })
  const blocked = sampleRow('A/1', { verdict: 'blocked', reason: said('no way in'), judgements: [] })
  t.match(waived(blocked, waiver({ row: 'A/1' })), { verdict: 'excused' })
  t.match(waived(blocked, waiver({ rule: '*' })), { verdict: 'blocked' }, 'no rule is broken')
  t.match(
    waived({ ...blocked, verdict: 'error' }, waiver({ row: '*' })),
    { verdict: 'error' },
    'a fault of the program is not excused',
  )
  t.match(waived(two, waiver({ row: '*', profile: 'interface' })), { verdict: 'fail' })
  t.match(waived(two, waiver({ row: '*', until: '2026-11-21' })), { verdict: 'excused' }, 'on the last day')
  t.match(waived(two, waiver({ row: '*', until: '2026-11-20' })), {
    verdict: 'fail',
    reason: said('no'),
    waiver: { owner: 'Ann', until: '2026-11-20', expired: true },
  })
})

t.test('a row that is judged again is excused again', (t) => {
  const answer = { status: 404, headers: [], body: { bytes: 0 } }
  const row = failed([{}], { evidence: [sampleEvidence({ response: answer })] })
  const again = (...waivers: RecordedWaiver[]): Verdict[] =>
    judgeAgain({ header: sampleHeader({ waivers, plan: [row.id] }), rows: [row], defects: [] }).rows.map(
      ({ verdict }) => verdict,
    )
  t.strictSame(again(), ['fail'])
  t.strictSame(again(waiver({ row: 'A/*' })), ['excused'])
  t.end()
})

t.test('a passing row that a waiver names alone is an unexpected pass, except in lenient mode', async (t) => {
  const row = sampleRow('A/1')
  t.match(waived(row, waiver({ row: 'A/1' })), {
    verdict: 'unexpected-pass',
    waiver: { owner: 'Ann', expired: undefined },
  })
  const suite = { ...sampleHeader().suite, rows: 3 }
  const fitting = (pattern: string, ...plan: string[]) =>
    withWaivers(row, waiversOf(sampleHeader({ suite, plan, waivers: [waiver({ row: pattern })] })))
  t.match(fitting('A/*', 'A/1', 'A/2', 'B/1'), { verdict: 'pass' }, 'the waiver names several rows')
  t.match(fitting('A/*', 'A/1', 'B/1', 'B/2'), { verdict: 'unexpected-pass' }, 'the waiver names only this row')
  t.match(fitting('A/*', 'A/1', 'B/1'), { verdict: 'pass' }, 'other selections may have further rows')
  const lenient = sampleHeader({ plan: ['A/1'], waivers: [waiver({ row: 'A/1' })], lenientWaivers: true })
  t.match(withWaivers(row, waiversOf(lenient)), { verdict: 'pass' })
})

async function findingsOf(rows: RunRow[], waivers: RecordedWaiver[], more: Partial<RunHeader> = {}): Promise<string[]> {
  const plan = rows.map(({ id }) => id)
  const header = { waivers, plan, suite: { ...sampleHeader().suite, rows: rows.length }, ...more }
  const own = waiversOf(sampleHeader(header))
  return waiverFindings(
    await sampleRecord(
      rows.map((row) => withWaivers(row, own)),
      header,
    ),
  )
}

t.test('expired, unmatched and unnecessary waivers are reported', async (t) => {
  const rows = [
    failed([{ rules: ['SAW-4'] }]),
    sampleRow('A/2'),
    sampleRow('B/1', { verdict: 'not-applicable', judgements: [] }),
  ]
  t.same(await findingsOf(rows, [waiver({ rule: 'SAW-4' })]), [])
  t.match(await findingsOf(rows, [waiver({ row: 'A/1', until: '2026-01-01' })]), [
    /^The waiver of Ann for row A\/1 expired after 2026-01-01/,
  ])
  const over = { until: '2026-01-01' }
  const ofOneEntry = ['A/1', 'A/2', 'B/1'].map((row) => waiver({ row, ...over }))
  t.match(
    await findingsOf(rows, [...ofOneEntry, waiver({ row: 'A/1', ...over, owner: 'Bob' })]),
    [/^The waiver of Ann for row A\/1 and 2 more rows expired after/, /^The waiver of Bob for row A\/1 expired after/],
    'one finding for each entry of the file',
  )
  t.match(await findingsOf(rows, [waiver({ row: 'C/*' })]), [/for row C\/\* matches nothing/])
  t.match(await findingsOf(rows, [waiver({ rule: 'NO-*' })]), [/for rule NO-\* matches nothing/])
  t.match(await findingsOf(rows, [waiver({ divergence: 'D-8' })]), [
    /for divergence D-8 matches no divergence of the profile canton-3.5/,
  ])
  t.match(await findingsOf(rows, [waiver({ row: 'A/2' })]), [/for row A\/2 is no longer needed/])
  t.match(await findingsOf(rows, [waiver({ rule: 'SAW-1' })]), [/for rule SAW-1 is no longer needed/])
  t.same(await findingsOf(rows, [waiver({ row: 'A/*' })]), [], 'one of its rows fails')
  const ofTwoRules = sampleRow('A/3', { judgements: [sampleJudgement(), sampleJudgement({ rules: ['GEN-7'] })] })
  t.match(await findingsOf([ofTwoRules], [waiver({ rule: 'GEN-7' })]), [/for rule GEN-7 is no longer needed/])
  t.same(await findingsOf(rows, [waiver({ row: 'B/*' })]), [], 'rows that were not judged may need it')
  const part = { only: 'A', suite: { ...sampleHeader().suite, rows: 900 } }
  t.same(
    await findingsOf(rows, [waiver({ row: 'C/*' }), waiver({ rule: 'SAW-1' })], part),
    [],
    'a part of the suite proves nothing',
  )
  t.match(await findingsOf(rows, [waiver({ row: 'A/2' })], part), [/no longer needed/], 'except about its rows')
})

t.test('a run with an invalid waiver is incomplete', async (t) => {
  const concludeWith = async (waivers: RecordedWaiver[], more: Partial<RunHeader> = {}) => {
    const rows = [failed([{ rules: ['SAW-4'] }]), sampleRow('A/2')]
    const rules = sampleHeader().rules.filter(({ id }) => id === 'SAW-1' || id === 'SAW-4')
    const header = { waivers, rules, plan: ['A/1', 'A/2'], suite: { ...sampleHeader().suite, rows: 2 }, ...more }
    return conclude(
      await sampleRecord(
        rows.map((row) => withWaivers(row, waiversOf(sampleHeader(header)))),
        header,
      ),
    )
  }
  t.match(await concludeWith([waiver({ row: 'A/1' })]), {
    outcome: 'conforming',
    inWords: /^PASS: 1 of 2 rows passed, 0 failed, 1 excused; /,
  })
  const two = [waiver({ row: 'A/1' }), waiver({ row: 'A/2' })]
  t.match(await concludeWith(two), {
    outcome: 'incomplete',
    problems: [/row A\/2 is no longer needed/],
  })
  t.match(await concludeWith(two, { lenientWaivers: true }), { outcome: 'conforming', problems: [] })
})

t.test('an invalid waiver file is reported with all findings', async (t) => {
  const findingsIn = async (content: string): Promise<string> => {
    const file = join(t.testdir({ 'waivers.yaml': content }), 'waivers.yaml')
    const error: unknown = await readWaivers(file).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    return error instanceof FindingsError ? formatFindings(error.findings, { color: false }) : String(error)
  }
  const rest = 'reason: r, owner: o'
  t.match(
    await findingsIn(`waivers:\n  - { row: A, rule: B, ${rest}, until: 2027-01-31 }\n`),
    /yaml:2:5.*exactly one of row, rule and divergence/,
  )
  t.match(await findingsIn(`waivers:\n  - { ${rest}, until: 2027-01-31 }\n`), 'exactly one of row, rule and divergence')
  t.match(
    await findingsIn(`waivers:\n  - { row: A, ${rest}, until: 2027-02-31 }\n`),
    '2027-02-31 is not a day of the calendar',
  )
  t.match(await findingsIn(`waivers:\n  - { row: A, ${rest}, until: soon }\n`), 'a day is written as 2027-01-31')
  t.match(await findingsIn(`waivers:\n  - { row: A, reason: r, until: 2027-01-31 }\n`), /owner/)
  t.match(await findingsIn('waivers:\n  - { rwo: A }\n'), /rwo/)
  const missing: unknown = await readWaivers('nowhere.yaml').then(
    () => undefined,
    (reason: unknown) => reason,
  )
  t.match(String(missing), /the waiver file cannot be read/)
})

t.test('a waiver for another target does not apply', async (t) => {
  const file = join(
    t.testdir({
      'w.yaml': `waivers:\n${['https://a.example', 'https://*.example/', '*'].map((target) => `  - { row: A, target: '${target}', reason: r, owner: o, until: 2027-01-31 }\n`).join('')}`,
    }),
    'w.yaml',
  )
  const all = await readWaivers(file)
  t.equal(waiversFor(all, 'https://a.example/').length, 3)
  t.equal(waiversFor(all, 'https://b.example').length, 2)
  t.same(Object.keys(waiversFor(all, 'http://c')[0] ?? {}).sort(), ['owner', 'reason', 'row', 'until'])
})

t.test(
  'one suggested waiver names all rows of a cause, and a list of rows is read as one waiver for each',
  async (t) => {
    const blocked = (id: string) =>
      sampleRow(id, { verdict: 'blocked', reason: { code: 'operation-missing', operation: 'updates', status: 404 } })
    const ids = ['SAW-A/1', 'SAW-B/1', 'SAW-B/2']
    const text = suggestedWaivers(await sampleRecord(ids.map(blocked)), 'Ann', new Date('2026-11-21'))
    t.equal(text.split('reason:').length, 2, text)
    const file = join(t.testdir({ 'waivers.yaml': text }), 'waivers.yaml')
    t.strictSame(
      (await readWaivers(file)).map(({ row }) => row),
      ids,
    )
  },
)

t.test('suggested waivers excuse the failures, by divergence if possible', async (t) => {
  const rows = [
    failed([{ rules: ['SAW-4'] }]),
    ...['A/2', 'A/3'].map((id) => ({
      ...failed([{ divergence: 'D-9' }]),
      id,
      resolved: { ...sampleRow(id).resolved },
    })),
    sampleRow('A/4', { verdict: 'error', reason: said('a fault'), judgements: [] }),
  ]
  const { waivers }: { waivers: RecordedWaiver[] } = parse(
    suggestedWaivers(await sampleRecord(rows), 'Ann', new Date('2026-11-21')),
  )
  t.match(waivers, [
    { row: 'A/1', reason: /^status: expected .*, found /, owner: 'Ann', until: '2026-12-21', profile: 'canton-3.5' },
    { divergence: 'D-9' },
  ])
  t.equal(waivers.length, 2, 'without faults of the program')
})

t.test('a run suggests and applies waivers, and exits with 5 for an invalid one', async (t) => {
  const folder = t.testdir()
  const out = join(folder, 'results')
  const row = ['--only', 'CBI-NOT-POPULATED/offset', '--profile', 'interface']
  const runWaived = (waivers: string, ...more: string[]) =>
    conform('run', ...row, '--waivers', waivers, '--out', join(folder, 'again'), ...more)
  const red = await conform('run', ...row, '--suggest-waivers', '--out', out)
  t.equal(red.code, 1)
  const suggested = red.stdout
  t.match(suggested, /^waivers:\n(?: {2}.*\n)+$/, 'standard output has the YAML only')
  t.match(red.stderr, /^FAIL.*\n[\s\S]*junit\.xml$/m)
  const file = join(folder, 'waivers.yaml')
  await writeFile(file, suggested)
  const reported = await conform('report', out, '--format', 'badge', '--suggest-waivers')
  t.equal(reported.stdout, suggested)
  t.match(reported.stderr, 'badge.svg')

  const excused = await runWaived(file)
  t.equal(excused.code, 0, excused.stdout)
  t.match(excused.stdout, /\n0 fail, .* 1 excused/)
  await writeFile(file, suggested.replace(/until: .*/, 'until: 2020-01-31'))
  t.match(
    await runWaived(file),
    { code: 1, stdout: /expired after 2020-01-31: fix the failure/ },
    'a failure takes precedence',
  )

  await writeFile(
    file,
    `${suggested}  - { row: CBI-NOT-POPULATED/nothing, rule: X, reason: r, owner: o, until: 2099-01-31 }\n`,
  )
  t.match(await runWaived(file), { code: 2, stderr: /exactly one of row, rule and divergence/ })
  await writeFile(file, `${suggested}  - { rule: NO-SUCH-RULE, reason: r, owner: o, until: 2099-01-31 }\n`)
  t.match(await runWaived(file), { code: 5, stdout: /rule NO-SUCH-RULE matches nothing in the suite/ })
  const lenient = await runWaived(file, '--waivers-lenient')
  t.match(lenient, { code: 0, stdout: /! The waiver of o for rule NO-SUCH-RULE matches nothing/ })
  t.match(await readFile(file, 'utf8'), 'NO-SUCH-RULE')
})
