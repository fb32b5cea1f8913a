/** Runs and explorations hide what the settings of a target state. */
import t from 'tap'
import { openSide } from '../../../explore/send/side.js'
import { Redaction } from '../../../lib/redaction/redaction.js'
import type { Target } from '../../../runner/target/target.js'
import { EarlyEnd } from '../../../runner/transport/early-end.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { readTarget } from '../../support/suites/plain-target.js'

t.test('an exploration hides client secrets and values of headers', async (t) => {
  const simulator = await startSimulator()
  t.teardown(() => simulator.close())
  const plain = readTarget(simulator.url, 'none')
  const source = { origin: 'the test', secret: 'client-secret-4711', token: () => Promise.resolve('token') }
  const target: Target = {
    ...plain,
    callers: new Map([['alice', { user: 'alice', source }]]),
    connection: { ...plain.connection, headers: [['x-key', 'header-value-4712']] },
  }
  const redaction = new Redaction()
  const side = await openSide({
    name: 'target',
    target,
    timeLimit: 30_000,
    patience: 60_000,
    redaction,
    end: new EarlyEnd(),
    report: () => undefined,
  })
  await side.close()
  const hidden = redaction.clean('client-secret-4711 header-value-4712')
  t.notMatch(hidden, /471[12]/)
})
