/** Whether a run can onboard external parties, and checks of Ed25519 keys of low order. */
import t from 'tap'
import type { JsonValue } from '../../../lib/json/json.js'
import { Redaction } from '../../../lib/redaction/redaction.js'
import { createTokens } from '../../../runner/execute/tokens.js'
import { callerAs } from '../../../runner/provision/caller.js'
import { checkWeakKeys, discover } from '../../../runner/provision/discover.js'
import { defaultAdministrator, TargetRejection } from '../../../runner/target/target.js'
import { createTransport } from '../../../runner/transport/transport.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { readTarget } from '../../support/suites/plain-target.js'

t.test('the simulator rejects weak keys, and the check reports a participant that accepts them', async (t) => {
  const { url, close } = await startSimulator()
  t.teardown(close)
  const redaction = new Redaction()
  const tokens = createTokens(readTarget(url, 'none'), () => undefined, redaction)
  const call = callerAs(defaultAdministrator, createTransport(url, 5000), tokens)
  const { synchronizerIds, externalParties } = await discover(call, new Set(), () => undefined)
  t.equal(externalParties, true, 'a valid key is accepted')
  const checks = await checkWeakKeys(synchronizerIds[0] ?? '', call)
  t.match(checks, [
    { what: /neutral point/, met: true },
    { what: /of zeros/, met: true },
  ])
  const bodies: unknown[] = []
  const careless = await checkWeakKeys('s', async (_, body) => {
    bodies.push(body)
    return {}
  })
  t.match(careless, [
    { met: false, found: 'a topology' },
    { met: false, found: 'a topology' },
  ])
  t.match(bodies, [{ publicKey: { keyData: /AQAAAAAAAAA/ } }, { publicKey: { keyData: /AAAAAAAAAAAAAA=$/ } }])
})

t.test('a target that proposes no topology returns the reason', async (t) => {
  const synchronizerId = `s::1220${'ab'.repeat(32)}`
  const answers: Readonly<Record<string, JsonValue>> = {
    'participant-id': { participantId: 'p' },
    'connected-synchronizers': { connectedSynchronizers: [{ synchronizerId }] },
  }
  const reasonFor = async (status: number, code?: string) => {
    const found = await discover(
      async (name) => {
        if (name === 'generate-external-topology') throw new TargetRejection(status, `returned ${status}`, code)
        return answers[name] ?? {}
      },
      new Set(),
      () => undefined,
    )
    return found.externalParties
  }
  const operation = 'generate-external-topology'
  t.strictSame(await reasonFor(404), { code: 'operation-missing', operation, status: 404 })
  t.strictSame(await reasonFor(403, 'NA'), { code: 'request-failed', message: 'returned 403' })
})
