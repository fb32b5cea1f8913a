/** The command show. */
import { join } from 'node:path'
import t from 'tap'
import { readRun } from '../../../cli/output/read-run.js'
import type { ResolvedRow } from '../../../record/types/resolved-row.js'
import { deriveRun } from '../../../runner/derive/derive-run.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { conform } from '../../support/processes/conform-process.js'
import { derivedFrom } from '../../support/records/derived-from.js'
import { lookupRows, writeLookupSuite } from '../../support/suites/lookup-suite.js'

t.test('show prints every row as sent: its filled requests equal the recorded ones, byte by byte', async (t) => {
  const folder = t.testdir({ suite: {} })
  const suite = await writeLookupSuite(join(folder, 'suite'))
  const simulator = await startSimulator()
  t.teardown(() => simulator.close())
  const out = join(folder, 'results')
  const ran = await conform('run', '--suite', suite, '--profile', 'canton-3.5', '--target', simulator.url, '--out', out)
  t.equal(ran.code, 0, ran.stdout + ran.stderr)
  const record = await readRun(out)
  const { code, stdout } = await conform('show', '*', '--suite', suite, '--profile', 'canton-3.5', '--json')
  t.equal(code, 0)
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ResolvedRow) // the format of --json
  t.equal(rows.length, lookupRows)
  const shown = new Map(rows.map((row) => [row.id, row]))
  for (const { id, resolved } of record.rows) t.strictSame(shown.get(id), resolved, id)
  t.ok(record.rows.every(({ evidence }) => evidence.length > 0))
  const derived = await deriveRun(record, await derivedFrom(suite, record))
  t.strictSame(derived?.requests, [])
})

t.test('show prints a row for readers, and rejects an unknown one', async (t) => {
  const suite = await writeLookupSuite(t.testdir())
  const { code, stdout } = await conform('show', 'LOOK-KNOWN/only', '--suite', suite)
  t.equal(code, 0)
  for (const part of ['LOOK-FOUND', 'curl ', 'look-up.yaml:']) t.ok(stdout.includes(part), part)
  t.match(await conform('show', 'NO-SUCH', '--suite', suite), { code: 2, stdout: '', stderr: 'NO-SUCH' })
})
