/** `execute` may answer before its transaction exists. */
import { join } from 'node:path'
import t from 'tap'
import { findOverrides } from '../../../lab/find-overrides.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { suiteRun } from '../../support/suites/suite-run.js'
import { profileNamed } from '../../support/suites/whole-suite.js'

t.test('the last read waits for transactions of execute, also without late checks', async (t) => {
  const overrides = findOverrides({ variants: ['executions-shown-later'] })
  const simulator = await startSimulator({ overrides, behaviour: 'interface' })
  t.teardown(() => simulator.close())
  const { rows, footer } = await suiteRun(simulator.url, {
    profile: profileNamed('interface'),
    only: 'EXE-SIGNED/*',
    lateDelay: 0,
    recordFile: join(t.testdir(), 'run.ndjson'),
  })
  t.strictSame(new Set(rows.map(({ verdict }) => verdict)), new Set(['pass']))
  t.equal(footer?.complete, true)
})
