/** Whether a participant proposes parties with keys for which anybody can sign. */
import t from 'tap'
import { Redaction } from '../../../lib/redaction/redaction.js'
import { createTokens } from '../../../runner/execute/tokens.js'
import { callerAs } from '../../../runner/provision/caller.js'
import { discover } from '../../../runner/provision/discover.js'
import { checkWeakKeys } from '../../../runner/provision/weak-keys.js'
import { defaultAdministrator } from '../../../runner/target/target.js'
import { createTransport } from '../../../runner/transport/transport.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { readTarget } from '../../support/suites/plain-target.js'

t.test('the simulator proposes none, and what proposes anything is told', async (t) => {
  const { url, close } = await startSimulator()
  t.teardown(close)
  const redaction = new Redaction()
  const tokens = createTokens(readTarget(url, 'none'), () => undefined, redaction)
  const call = callerAs(defaultAdministrator, createTransport(url, 5000), tokens)
  const { synchronizerIds, externalParties } = await discover(call, new Set(), () => undefined)
  t.equal(externalParties, true, 'a good key is taken')
  const checks = await checkWeakKeys(synchronizerIds[0] ?? '', call)
  t.match(checks, [
    { what: /neutral point/, met: true },
    { what: /of zeros/, met: true },
  ])
  const asked: unknown[] = []
  const careless = await checkWeakKeys('s', async (_, body) => {
    asked.push(body)
    return {}
  })
  t.match(careless, [
    { met: false, found: 'a topology for it' },
    { met: false, found: 'a topology for it' },
  ])
  t.match(asked, [{ publicKey: { keyData: /AQAAAAAAAAA/ } }, { publicKey: { keyData: /AAAAAAAAAAAAAA=$/ } }])
})
