/** Selection and repetition of rows, and progress. */
import { join } from 'node:path'
import t from 'tap'
import { createProgress } from '../../../../cli/console/run-output.js'
import { readRun as recordIn } from '../../../../cli/output/read-run.js'
import type { Flags } from '../../../../cli/target/settings.js'
import type { RunRow } from '../../../../record/types/record.js'
import type { Verdict } from '../../../../record/types/verdict.js'
import { reasonOf } from '../../../../reports/wording/reason.js'
import {
  NothingSelected,
  readShard,
  type Selection,
  selectionInWords,
  selectRows,
  shardOf,
} from '../../../../runner/plan/select.js'
import { RepeatedRow } from '../../../../runner/run/run-row.js'
import { startSimulator } from '../../../../simulator/simulator.js'
import { callRun } from '../../../support/processes/called-command.js'
import { conform } from '../../../support/processes/conform-process.js'
import { said, sampleRow } from '../../../support/records/sample-row.js'

const rowOf = (id: string, more: Partial<RunRow['resolved']> = {}): RunRow['resolved'] => ({
  ...sampleRow(id, {}, more).resolved,
})
const rows = [
  rowOf('A/one', { impact: 'read' }),
  rowOf('A/two', { impact: 'write' }),
  rowOf('B/one', { impact: 'topology', alone: true }),
  rowOf('B/two', { impact: 'hazard' }),
]
const chosen = (selection: Selection): string[] => selectRows(rows, selection).map(({ id }) => id)

t.test('patterns, exclusions, impacts and failures of an earlier run select rows together', async (t) => {
  t.same(chosen({ only: ['A/*', 'B/two'] }), ['A/one', 'A/two', 'B/two'])
  t.same(chosen({ not: ['*/one'] }), ['A/two', 'B/two'])
  t.same(chosen({ only: 'A/*', not: ['two'] }), ['A/one'])
  t.same(chosen({ impact: ['read', 'topology'] }), ['A/one', 'B/one'])
  t.same(chosen({ failedOf: { run: 'r', ids: new Set(['A/two', 'B/two']) }, not: ['B/*'] }), ['A/two'])
  t.equal(selectionInWords({}), undefined)
  t.equal(
    selectionInWords({
      only: ['A', 'B'],
      not: ['C'],
      impact: ['read'],
      failedOf: { run: 'r', ids: new Set() },
      shard: { index: 2, of: 3 },
    }),
    'A, B; not C; impact read; failed of r; shard 2/3',
  )
  t.throws(() => chosen({ only: ['X', 'Y'] }), new NothingSelected('no row, operation or rule matches "X, Y"'))
  t.throws(() => chosen({ only: '' }), new NothingSelected('no row, operation or rule matches ""'))
  t.throws(() => chosen({ only: 'A/*', not: ['A'] }), new NothingSelected('no row matches the selection A/*; not A'))
  t.throws(() => chosen({ failedOf: { run: 'r', ids: new Set() } }), /no row failed in r, so none is selected/)
})

t.test('each pattern of --only matches a row of the suite', async (t) => {
  const refused = { code: 2, stdout: '' }
  const dry = { dryRun: true, json: true }
  for (const more of [{}, dry, { shard: '1/2' }, { operations: ['execute'] }])
    t.match(
      await callRun(t, { only: ['CBI-WITNESSES/*', 'NOPE-*', 'NO-SUCH-ROW'], ...more }),
      {
        ...refused,
        stderr: /^no row, operation or rule matches "NOPE-\*, NO-SUCH-ROW"; conform list prints the rows, .*\n$/,
      },
      JSON.stringify(more),
    )
  const near: [pattern: string, name: string][] = [
    ['CBI-WITNESS/*', 'CBI-WITNESSES'],
    ['cbi-witnesses/*', 'CBI-WITNESSES'],
    ['SAW-COMANDS/empty', 'SAW-COMMANDS/empty'],
    ['GEN-NO-SERVER-EROR', 'GEN-NO-SERVER-ERROR'],
    ['contract-by-ids', 'contract-by-id'],
  ]
  for (const [only, name] of near)
    t.match(await callRun(t, { only }), { ...refused, stderr: `matches "${only}"; did you mean "${name}"?` }, only)
  // The run prints the settings that limit it before it plans.
  t.match(await callRun(t, { only: 'SAW-*', operations: ['contract-by-id'] }), {
    code: 2,
    stderr: 'no row matches the selection SAW-* of contract-by-id\n',
  })
  // The scope leaves the second pattern without rows.
  const scoped = { only: ['CBI-WITNESSES/*', 'execute'], operations: ['contract-by-id'] }
  t.match(await callRun(t, { ...scoped, ...dry }), { code: 0 })
  t.match(await callRun(t, { only: 'CBI-WITNESSES/*', not: ['NOPE-*'], ...dry }), { code: 0 })
})

t.test('options without an effect are wrong usage', async (t) => {
  const only = 'CBI-WITNESSES/*'
  t.match(await callRun(t, { only, json: true }), { code: 2, stdout: '', stderr: /^json: add --dry-run/ })
  t.match(await callRun(t, { only, protocolVersion: '36' }), {
    code: 2,
    stderr: 'protocol-version: 36 is not supported by the simulator; known: 34, 35\n',
  })
  const out = t.testdir()
  t.match(await callRun(t, { only, protocolVersion: '34', out }), { code: 0 })
  t.equal((await recordIn(out)).header.target.protocolVersion, 34, 'the simulator has this version')
})

t.test('each row is in one shard, by its id; rows that must run alone are in the last shard', async (t) => {
  const many = Array.from({ length: 300 }, (_, index) => rowOf(`MANY/row-${index}`))
  const parts = [1, 2, 3].map((index) => selectRows(many, { shard: { index, of: 3 } }).map(({ id }) => id))
  t.same(parts.flat().sort(), many.map(({ id }) => id).sort())
  for (const part of parts) t.ok(part.length > 70 && part.length < 130, `${part.length} rows`)
  const some = selectRows(many, { only: '*7', shard: { index: 2, of: 3 } }).map(({ id }) => id)
  t.same(
    some,
    parts[1]?.filter((id) => id.endsWith('7')),
    'independent of the selection',
  )
  for (const row of rows.slice(2)) t.equal(shardOf(row, { index: 1, of: 5 }), 5, row.id)
  const executing = rowOf('C/one', {
    steps: sampleRow('C/one').resolved.steps.map((step) => ({ ...step, presignable: true as const })),
  })
  t.equal(shardOf(executing, { index: 1, of: 5, presigned: true }), 5, 'with presigned transactions')
  t.same(['2/3', '1/1'].map(readShard), [
    { index: 2, of: 3 },
    { index: 1, of: 1 },
  ])
  for (const text of ['0/3', '4/3', '1/0', 'x', '1/3/4'])
    t.throws(() => readShard(text), {
      name: 'UsageError',
      message: `shard: expected INDEX/COUNT, such as 2/3, not ${text}`,
    })
})

t.test('a repeated row has its worst verdict, with the counts', async (t) => {
  const row = (verdict: Verdict): RunRow => sampleRow('A/1', { verdict, reason: said(verdict) })
  const repeated = (...verdicts: Verdict[]): RunRow => {
    const worst = new RepeatedRow()
    for (const verdict of verdicts) worst.add(row(verdict))
    return worst.row ?? row('error')
  }
  const flaky = repeated('pass', 'fail', 'pass', 'warning')
  t.match(flaky, { verdict: 'fail', repeated: { fail: 1, warning: 1, pass: 2 } })
  t.equal(reasonOf(flaky), 'fail (flaky: fail 1 of 4 times, warning 1, pass 2)')
  t.equal(reasonOf(repeated('fail', 'fail')), 'fail', 'a row with equal verdicts is not flaky')
  t.same(repeated('pass'), row('pass'))
  t.equal(new RepeatedRow().row, undefined)
})

t.test('a log has occasional lines, a terminal a bar', async (t) => {
  const outputOf = (isTTY: boolean, rowsDone: number): string => {
    const clock = t.capture(performance, 'now', () => (time += 1000))
    let time = 0
    const written: string[] = []
    const rows = Array.from({ length: 100 }, (_, index) => sampleRow(`A/${index + 1}`, { milliseconds: 1000 }))
    const progress = createProgress({
      isTTY,
      overwrite: (line) => written.push(`\r\u001b[2K${line}`),
      log: (line) => written.push(`${line}\n`),
    })
    progress.planned({ rows: rows.map(({ resolved }) => resolved), alone: [] })
    progress.row(sampleRow('A/not-run', { verdict: 'not-applicable' }))
    for (const [index, row] of rows.slice(0, rowsDone).entries()) {
      progress.sent(row)
      progress.row({ ...row, verdict: index === 2 ? 'fail' : 'pass' })
    }
    progress.clear()
    clock.restore()
    return written.join('')
  }
  const lines = outputOf(false, 60).trimEnd().split('\n')
  t.ok(lines.length >= 8 && lines.length <= 40, `${lines.length} lines for 60 rows`)
  t.match(lines.at(-1), /^\d+ of 100, 1 not passed, about \d+ s left$/)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequence that overwrites a line
  t.match(outputOf(true, 30), /\r\u001b\[2K\[#{7}\.{17}\] 30 of 100, 1 not passed, about \d+ s left\r\u001b\[2K$/)
})

t.test('a run repeats rows, and runs only failed rows', async (t) => {
  const simulator = await startSimulator({ control: true })
  t.teardown(() => simulator.close())
  const folder = t.testdir()
  const at = (name: string): string => join(folder, name)
  const run = (out: string, flags: Flags) =>
    callRun(t, { target: simulator.url, out: at(out), concurrency: '1', lateCheck: '0', ...flags })
  const rows = ['CBI-WITNESSES/*', 'CBI-BODY/*']
  // Concurrency 1: every second request under test fails.
  await fetch(`${simulator.url}/control/faults`, {
    method: 'POST',
    body: JSON.stringify({ kind: 'status', status: 503, operation: 'contract-by-id', every: 2 }),
  })
  const same = ['--target', simulator.url, '--out', at('again'), '--concurrency', '1']
  const again = await conform('run', ...same, '--only', ...rows, '--repeat', '2')
  t.equal(again.code, 1)
  t.match(again.stdout, /\(flaky: fail 1 of 2 times, pass 1\)/)
  const repeated = await recordIn(at('again'))
  t.equal(repeated.header.repeat, 2)
  t.match(again.stdout, ', each row sent 2 times')
  const flaky = repeated.rows.filter(({ repeated: times }) => times?.fail === 1 && times.pass === 1)
  t.ok(flaky.length > 0)

  await fetch(`${simulator.url}/control/faults`, { method: 'DELETE' })
  const failed = repeated.rows.filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked').map(({ id }) => id)
  t.equal((await run('rest', { failedOf: at('again') })).code, 0)
  const rest = await recordIn(at('rest'))
  t.same(rest.rows.map(({ id }) => id).sort(), failed.sort())
  t.match(rest.header, { only: `failed of ${repeated.header.run}`, selection: { failedOf: repeated.header.run } })
  t.match(await run('none', { failedOf: at('rest') }), { code: 2, stderr: /no row failed in / })

  t.match(await run('wrong', { shard: '4/3' }), { code: 2, stderr: /expected INDEX\/COUNT/ })
  t.match(await run('wrong', { aloneAfter: [at('again')] }), { code: 2, stderr: /add the same --seed to all shards/ })
})
