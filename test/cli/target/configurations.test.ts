/** Runs of one participant in several configurations, combined to one conclusion. */
import { join } from 'node:path'
import t from 'tap'
import { readParts, readRun } from '../../../cli/output/read-run.js'
import { combineRecords, expectSameParticipant } from '../../../record/merge/combine-records.js'
import type { OracleFinding, RunHeader, RunRecord, RunRow } from '../../../record/types/record.js'
import type { Verdict } from '../../../record/types/verdict.js'
import { conclude } from '../../../reports/summary/conclusion.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { conformIn } from '../../support/processes/conform-process.js'
import { sampleRecord } from '../../support/records/sample-record.js'
import { said, sampleRow } from '../../support/records/sample-row.js'
import { inWords } from '../../support/words/in-words.js'

const rowOf = (id: string, verdict: Verdict, more: Partial<RunRow> = {}): RunRow =>
  sampleRow(id, { verdict, ...(verdict !== 'pass' && { reason: said(`${verdict} here`) }), ...more })

const runOf = (rows: RunRow[], more: Partial<RunHeader> = {}): Promise<RunRecord> => sampleRecord(rows, more)

t.test('a row in several runs has its worst verdict; not judged is the least', async (t) => {
  const pairs: [one: Verdict, other: Verdict, together: Verdict][] = [
    ['pass', 'fail', 'fail'],
    ['fail', 'pass', 'fail'],
    ['not-applicable', 'pass', 'pass'],
    ['pass', 'not-applicable', 'pass'],
    ['not-applicable', 'blocked', 'blocked'],
    ['pass', 'warning', 'warning'],
    ['warning', 'fail', 'fail'],
  ]
  const ids = pairs.map((_, index) => `ROW/${index}`)
  const first = await runOf(pairs.map(([one], index) => rowOf(ids[index] ?? '', one)))
  const second = await runOf(
    pairs.map(([, other], index) => rowOf(ids[index] ?? '', other)),
    { run: 'second' },
  )
  const { rows, header, footer } = combineRecords([first, second])
  t.strictSame(
    rows.map(({ verdict }) => verdict),
    pairs.map(([, , together]) => together),
  )
  t.strictSame(
    rows.map(({ configuration }) => configuration),
    [2, 1, 2, 1, 2, 2, 2],
  )
  t.equal(header.plan.length, pairs.length)
  t.match(header.configurations, [
    { run: first.header.run, judged: 5 },
    { run: 'second', judged: 5 },
  ])
  t.match(footer, { counts: { fail: 3, pass: 2 }, conforming: false, complete: true })
})

t.test('of two causes for an unjudged row, the removable one remains', async (t) => {
  const unsent = (reason: string): RunRow =>
    sampleRow(
      'CBI-A/one',
      { verdict: 'not-applicable', reason: said(reason), evidence: [], judgements: [] },
      { needs: ['authorization'] },
    )
  const outside = (run: string) =>
    runOf([unsent(`no token is checked in ${run}`)], { run, capabilities: { 'open-access': true } })
  const removable = (run: string) =>
    runOf([unsent(`a credential is missing in ${run}`)], { run, capabilities: { authorization: true } })
  const reasonOf = async (...records: Promise<RunRecord>[]): Promise<string> =>
    inWords(combineRecords(await Promise.all(records)).rows[0]?.reason)
  t.equal(await reasonOf(removable('one'), outside('two')), 'a credential is missing in one')
  t.equal(await reasonOf(outside('one'), removable('two')), 'a credential is missing in two')
  t.equal(await reasonOf(removable('one'), removable('two')), 'a credential is missing in two')
  t.equal(await reasonOf(outside('one'), outside('two')), 'no token is checked in two')
  t.equal(await reasonOf(outside('one'), removable('two'), outside('three')), 'a credential is missing in two')
})

t.test('a rule is examined if one run examines it, and each configuration is listed', async (t) => {
  const target = { url: 'http://127.0.0.1:7575', version: '3.5.10', authorization: 'none', embedded: true }
  const open = await runOf([rowOf('CBI-A/one', 'not-applicable'), rowOf('CBI-A/two', 'pass')], { target })
  const strict = await runOf([rowOf('CBI-A/one', 'pass')], {
    run: 'second',
    only: 'rules CBI-1',
    capabilities: { 'several-synchronizers': true },
    variables: { alice: '"another::1220aa"', synchronizerId: '"local::1220bb"' },
  })
  const both = combineRecords([open, strict])
  t.ok(conclude(open).unexamined.length >= conclude(both).unexamined.length)
  t.equal(conclude(both).counts.pass, 2)
  t.match(both.header.configurations, [
    { authorization: 'none', synchronizers: 'one' },
    { authorization: 'hs256', synchronizers: 'several' },
  ])
  const [row] = both.rows
  t.match(row?.variables, { alice: '"another::1220aa"' }, 'a row keeps its own facts')
  t.notHas(row?.variables, { synchronizerId: /./ }, 'and does not repeat common facts')
  t.equal(combineRecords([open]), open, 'one run is unchanged')
})

t.test('a finding of a run counts for the rows of that run only', async (t) => {
  const finding = (rows: string[]): OracleFinding => ({
    kind: 'unproven',
    oracle: 'updates',
    reason: said('a read failed'),
    rules: [],
    rows,
  })
  const first = await runOf([rowOf('A/one', 'pass'), rowOf('A/two', 'pass')])
  const second = await runOf([rowOf('A/two', 'fail')], { run: 'second' })
  const findings = [finding(['A/one', 'A/two']), finding(['A/two']), finding([])]
  const { oracles } = combineRecords([{ ...first, oracles: { type: 'oracles', reads: [], findings } }, second])
  t.strictSame(
    oracles?.findings.map(({ rows }) => rows),
    [['A/one'], []],
  )
})

t.test('a run without a participant id is no run of another participant', async (t) => {
  const headerOf = async (participant?: string) => {
    const { header } = await runOf([])
    const { participant: _, ...target } = header.target
    return { ...header, target: { ...target, ...(participant !== undefined && { participant }) } }
  }
  const [one, other, unknown] = [await headerOf('one::12'), await headerOf('other::12'), await headerOf()]
  t.doesNotThrow(() => expectSameParticipant(one, unknown))
  t.doesNotThrow(() => expectSameParticipant(unknown, one))
  t.throws(() => expectSameParticipant(one, other), { message: /are of two participants: one::12 and other::12/ })
})

t.test('a defect of one run is a defect of the combined run', async (t) => {
  const first = await runOf([rowOf('A/one', 'pass')])
  const second = await runOf([rowOf('A/two', 'pass')], { run: 'second' })
  const { footer: _, ...unfinished } = second
  t.equal(combineRecords([first, unfinished]).footer, undefined)
  const altered = combineRecords([first, { ...second, defects: ['The digest does not fit.'] }])
  t.strictSame(altered.defects, ['Configuration 2: The digest does not fit.'])
  t.not(conclude(altered).outcome, 'conforming')
})

t.test('runs with different settings or participants are rejected with the difference', async (t) => {
  const first = await runOf([rowOf('A/one', 'pass')])
  const { target, suite, tool, profile } = first.header
  const others: [more: Partial<RunHeader>, message: RegExp][] = [
    [{ tool: { ...tool, version: '9' } }, /differ in their tool: participant-conformance 0\.1\.0 and .* 9; leave one/],
    [{ suite: { ...suite, digest: 'ab' } }, /differ in their suite/],
    [{ profile: { ...profile, name: 'interface' } }, /differ in their profile: canton-3\.5 and interface/],
    [{ target: { ...target, version: '3.4.0' } }, /differ in their version of the participant: 3\.5\.10 and 3\.4\.0/],
    [
      { target: { ...target, embedded: false } },
      /differ in their participant: the embedded simulator and a participant/,
    ],
  ]
  for (const [more, message] of others) {
    const other = await runOf([rowOf('A/two', 'pass')], { run: 'second', ...more })
    t.throws(() => combineRecords([first, other]), { name: 'ConfigurationsError', message })
  }
})

const secret = 'a-secret-of-the-second-configuration'

t.test('the configurations of a file run in order, each only the remaining rules, as one conclusion', async (t) => {
  const [open, strict] = await Promise.all([
    startSimulator(),
    startSimulator({ authorization: `hs256:${secret}`, synchronizers: 2 }),
  ])
  t.teardown(() => Promise.all([open.close(), strict.close()]))
  const file = `target: ${open.url}
only: [CBI-WITNESSES, VET-SYNCHRONIZER-AMBIGUOUS, AUTH-READ-AS]
late-check: 0
configurations:
  - { target: '${strict.url}', authorization: 'hs256:${secret}' }
  - { protocol-version: 35 }
`
  const folder = t.testdir({ 'conform.yaml': file })
  const { code, stdout } = await conformIn({ folder }, 'run')
  t.equal(code, 0, stdout)
  t.match(stdout, `configuration 2: ${strict.url} (3.5.10), protocol version 35, authorization hs256, several synch`)
  t.match(
    stdout,
    /This configuration examines no further rules: no row matches the selection CBI-WITNESSES, .*; open rules and rows: /,
  )
  t.match(stdout, /\/run\.ndjson\.br\n.*\/run-2\.ndjson\.br\n.*\/report\.html/)
  const [first, second, ...more] = await readParts(join(folder, 'results'))
  t.strictSame(more, [], 'a configuration that examines nothing leaves no record')
  t.notMatch(JSON.stringify([first, second]), secret)
  const verdicts = (record: RunRecord | undefined, pattern: RegExp): string[] => [
    ...new Set(record?.rows.filter(({ id }) => pattern.test(id)).map(({ verdict }) => verdict)),
  ]
  t.strictSame(verdicts(first, /^CBI-WITNESSES/), ['pass'])
  t.strictSame(verdicts(second, /^CBI-WITNESSES/), [], 'rows of examined rules are not sent again')
  const both = await readRun(join(folder, 'results'))
  t.strictSame(verdicts(both, /./), ['pass'])
  const report = await conformIn({ folder }, 'report', 'results', '--format', 'ctrf', '--profile', 'interface')
  t.match(report.stdout, 'configuration 2: ', 'rows are judged again by the facts of their own record')
  t.notMatch(report.stdout, /cannot be judged again from this record: (?!secrets)/)
  const merged = await conformIn({ folder }, 'merge', 'results', 'results', '--out', 'merged')
  t.equal(merged.code, 2)
  t.match(merged.stderr, 'has several configurations; merge the shards of one configuration')
})

t.test('an unreachable configuration ends the run without a conclusion', async (t) => {
  const open = await startSimulator()
  t.teardown(() => open.close())
  const file = `target: ${open.url}\nonly: CBI-WITNESSES\nconfigurations: [{ target: 'http://127.0.0.1:1' }]\n`
  const folder = t.testdir({ 'conform.yaml': file })
  const sharded = await conformIn({ folder }, 'run', '--shard', '1/2')
  t.equal(sharded.code, 2)
  t.match(sharded.stderr, 'configurations: --shard supports one configuration; run each configuration separately')
  const { code, stderr } = await conformIn({ folder }, 'run')
  t.equal(code, 3)
  t.match(stderr, 'http://127.0.0.1:1')
})
