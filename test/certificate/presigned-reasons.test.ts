/** `verify` derives reasons of unsent rows, but not the number of presigned transactions. */
import { join } from 'node:path'
import t from 'tap'
import { compareRun } from '../../certificate/verify/compare-run.js'
import { conformanceModel } from '../../cli/tool/conformance-model.js'
import { readRecord } from '../../record/file/read-record.js'
import type { Reason } from '../../record/types/reason.js'
import type { RunRecord, RunRow } from '../../record/types/record.js'
import { type DerivedFrom, deriveRun } from '../../runner/derive/derive-run.js'
import { readSettings } from '../../runner/target/read-settings.js'
import { readTargetFile } from '../../runner/target/settings-layer.js'
import { startSimulator } from '../../simulator/simulator.js'
import { presignTransactions } from '../support/servers/presign-transactions.js'
import { suiteRun } from '../support/suites/suite-run.js'
import { profileNamed, suiteOf } from '../support/suites/whole-suite.js'

const marks = Array.from({ length: 8 }, (_, index) => `given-${index + 1000}`)
const cases = ['EXE-SIGNED', 'EXE-OTHER-MESSAGE', 'EXE-SIGNED-AGAIN', 'EWT-SIGNED']

t.test('reasons of rows without a transaction or a signature', async (t) => {
  const simulator = await startSimulator()
  t.teardown(() => simulator.close())
  const presigned = [
    await presignTransactions(simulator.url, marks),
    await presignTransactions(simulator.url, ['given-2000'], { kind: 'p256' }),
  ]
  const folder = t.testdir({ 'target.json': JSON.stringify({ unreachable: ['prepare'], presigned }) })
  const { access } = readSettings([await readTargetFile(join(folder, 'target.json'), {})], {}, new Date())
  const suite = suiteOf((id) => cases.includes(id.split('/')[0] ?? ''))
  const recordFile = join(folder, 'run.ndjson')
  await suiteRun(simulator.url, { suite, access, recordFile, lateDelay: 0 })
  const record = await readRecord(recordFile)
  t.strictSame(
    record.rows.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable'),
    [],
  )
  const from: DerivedFrom = { suite, profile: profileNamed('canton-3.5'), model: conformanceModel }
  const whats = async (one: RunRecord): Promise<string[]> => {
    const derived = await deriveRun(one, from)
    return derived ? compareRun(one, derived, true).map(({ kind, what }) => `${kind}: ${what}`) : ['no settings']
  }
  const [used] = record.rows.filter(
    ({ reason }) => reason?.code === 'presigned-used' && reason.party.startsWith('given-p256'),
  )
  t.strictSame(
    await whats(record),
    [`unproven: 1 row was not sent; its reason has no evidence in the bundle: ${used?.id}`],
    'only the signer knows the number of transactions',
  )

  const row = (id: string): RunRow | undefined => record.rows.find((one) => one.id === id)
  const unsigned = row('EXE-OTHER-MESSAGE/other-bytes')?.reason
  t.match(unsigned, { code: 'signature-missing', key: /^1220\w{8}$/ })
  t.match(row('EXE-SIGNED-AGAIN/other-argument')?.reason, unsigned)
  const unprepared = row('EXE-SIGNED/p384')?.reason
  t.match(unprepared, { code: 'nothing-prepared' })
  const named = Object.entries(record.header.variables ?? {}).flatMap(
    ([name]) => /^(\w+)\.key-1$/.exec(name)?.[1] ?? [],
  )
  const withoutKeys: Reason = { code: 'external-party-impossible', party: named[0] ?? '' }
  for (const reason of [unsigned, unprepared, withoutKeys]) {
    const hidden = record.rows.map((one) =>
      one.id === 'EXE-SIGNED/ed25519'
        ? { ...one, verdict: 'not-applicable' as const, ...(reason && { reason }), judgements: [], evidence: [] }
        : one,
    )
    t.match(
      (await whats({ ...record, rows: hidden }))[0],
      'altered: rows[EXE-SIGNED/ed25519].verdict is recorded as "not-applicable", but "blocked" follows',
      String(reason?.code),
    )
  }
})
