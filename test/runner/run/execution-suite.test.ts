/** Rows of the execute operations that need packages of the model. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { conformanceModel } from '../../../cli/tool/conformance-model.js'
import type { Permission } from '../../../record/types/effects.js'
import { run } from '../../../runner/run/run.js'
import type { Suite } from '../../../runner/suite/suite.js'
import { defaultAccess } from '../../../runner/target/target-file.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { readTarget } from '../../support/suites/plain-target.js'
import { profileNamed, suiteOf } from '../../support/suites/whole-suite.js'

const suiteWith = (...cases: readonly string[]): Suite => suiteOf((id) => cases.includes(id.split('/')[0] ?? ''))

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
      access: defaultAccess,
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
