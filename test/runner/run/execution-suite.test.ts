/** Cases of the execute operations: each signed field has rows that alter only this field; rows that need packages run. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { conformanceModel } from '../../../cli/tool/conformance-model.js'
import { performAt } from '../../../lab/environment.js'
import { Snapshots } from '../../../lab/snapshots.js'
import type { Permission } from '../../../record/types/effects.js'
import type { RunRow } from '../../../record/types/record.js'
import { run } from '../../../runner/run/run.js'
import type { Suite } from '../../../runner/suite/suite.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { readTarget } from '../../support/suites/plain-target.js'
import { profileNamed, suiteOf } from '../../support/suites/whole-suite.js'
import { forgivingProxy } from './forgiving-proxy.js'

const suiteWith = (...cases: readonly string[]): Suite => suiteOf((id) => cases.includes(id.split('/')[0] ?? ''))

const create = 'transaction.nodes.0.v1.create'

/** By signed field: the rows that alter only this field. */
const covered: Readonly<Record<string, string[]>> = {
  'metadata.submitter_info.command_id': ['command-id'],
  'metadata.submitter_info.act_as': [
    'acting-party-added',
    'acting-party-replaced',
    'acting-party-replaced-and-signed-by-both',
  ],
  'metadata.mediator_group': ['mediator'],
  'metadata.transaction_uuid': ['transaction-uuid'],
  'metadata.preparation_time': ['preparation-time'],
  'metadata.min_ledger_effective_time': ['lower-bound-of-ledger-time'],
  'metadata.max_ledger_effective_time': ['upper-bound-of-ledger-time'],
  [`${create}.argument.record.fields.0.value.text`]: ['argument'],
  [`${create}.argument.record.fields.2.value.party`]: ['party-in-argument'],
  [`${create}.contract_id`]: ['contract-id'],
  [`${create}.stakeholders`]: ['stakeholder-added'],
  [`${create}.signatories`]: ['signatory-replaced'],
  'transaction.node_seeds.0.seed': ['seed'],
  'transaction.version': ['version'],
}

/** One of each kind: the mutants `signed-hashes` of `prove` forgive every field. */
const forgiven = [
  'metadata.submitter_info.act_as',
  `${create}.argument.record.fields.0.value.text`,
  'transaction.version',
]

t.test('only the row that alters a field detects that the hash does not cover it', async (t) => {
  const { environment, start } = await new Snapshots({ suite: suiteWith('EWT-ALTERED'), model: conformanceModel }).of()
  const hasty = { ...environment, options: { ...environment.options, lateDelay: 0 } }
  for (const field of forgiven) {
    const { url, close } = await start({})
    const rows: RunRow[] = []
    await performAt(
      hasty,
      await forgivingProxy(t, url, field),
      () => true,
      (row) => void rows.push(row),
    )
    await close()
    const failed = rows.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id)
    const wanted = covered[field]?.map((row) => `EWT-ALTERED/${row}`)
    t.strictSame(failed.toSorted(), wanted?.toSorted(), field)
  }
})

t.test('covers all rows that alter a field', (t) => {
  const rows = suiteWith('EXE-ALTERED', 'EWT-ALTERED').cases.flatMap((one) => one.rows.map(({ id }) => id))
  t.strictSame(new Set(rows), new Set(Object.values(covered).flat()))
  t.end()
})

const needing = ['EWT-INTERFACE-VIEW', 'EWT-CONTRACT-KEY']

async function verdictsOn(t: Test, protocolVersion: 34 | 35, allow: readonly Permission[]) {
  const { url, close } = await startSimulator({ protocolVersion })
  t.teardown(() => close())
  const profile = profileNamed('canton-3.5')
  const verdicts: Record<string, string> = {}
  await run(
    {
      suite: suiteWith(...needing, 'EWT-ANSWER'),
      profile,
      target: readTarget(url, 'none'),
      embedded: true,
      recordFile: join(t.testdir({}), 'run.ndjson'),
      tool: { name: 'test', version: '0' },
      concurrency: 8,
      timeLimit: 30_000,
      model: conformanceModel,
      allow: new Set(allow),
    },
    {
      planned: () => undefined,
      row: ({ resolved, verdict }) => {
        if (needing.includes(resolved.case)) verdicts[resolved.case] = verdict
      },
    },
  )
  return verdicts
}

t.test('runs rows that need the model packages if the target has them', async (t) => {
  const some: Permission[] = ['read', 'write', 'topology']
  const all = { 'EWT-INTERFACE-VIEW': 'pass', 'EWT-CONTRACT-KEY': 'pass' }
  t.strictSame(await verdictsOn(t, 35, [...some, 'upload']), all)
  t.strictSame(await verdictsOn(t, 34, [...some, 'upload']), { ...all, 'EWT-CONTRACT-KEY': 'not-applicable' })
  t.strictSame(await verdictsOn(t, 35, some), {
    'EWT-INTERFACE-VIEW': 'not-applicable',
    'EWT-CONTRACT-KEY': 'not-applicable',
  })
})
