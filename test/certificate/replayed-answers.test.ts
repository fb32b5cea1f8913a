/** A server that replays recorded answers. Requests and their order follow from the seed. */
import t from 'tap'
import { startSimulator } from '../../simulator/simulator.js'
import { callRun } from '../support/processes/called-command.js'
import { recordingProxy, replayingParticipant } from '../support/servers/replaying-participant.js'

t.test('a server that replays the answers of another run fails', async (t) => {
  const simulator = await startSimulator()
  t.teardown(() => simulator.close())
  const proxy = await recordingProxy(t, simulator.url)
  // The server selects answers by the order of requests.
  const rows = { only: ['CBI-OWN-CONTRACT', 'CBI-CONTENT'], concurrency: '1', out: t.testdir(), lateCheck: '0' }
  const recorded = await callRun(t, { ...rows, target: proxy.url, seed: 'recorded' })
  t.equal(recorded.code, 0)
  for (const profile of ['canton-3.5', 'interface']) {
    const url = await replayingParticipant(t, proxy.exchanges)
    const replayed = await callRun(t, { ...rows, target: url, seed: 'another', profile })
    t.equal(replayed.code, 1)
    t.match(replayed.stdout, /fail {2}CBI-OWN-CONTRACT/)
  }
})
