/** A server that replays recorded answers. Requests and their order follow from the seed. */
import t from 'tap'
import { conform, simulate } from '../support/processes/conform-process.js'
import { recordingProxy, replayingParticipant } from '../support/servers/replaying-participant.js'

t.test('a server that replays the answers of another run fails', async (t) => {
  const simulator = await simulate()
  t.teardown(() => simulator.stop())
  const proxy = await recordingProxy(t, simulator.url)
  // The server selects answers by the order of requests.
  const rows = ['run', '--only', 'CBI-OWN-CONTRACT', 'CBI-CONTENT', '--concurrency', '1', '--out', t.testdir()]
  const recorded = await conform(...rows, '--target', proxy.url, '--seed', 'recorded')
  t.equal(recorded.code, 0)
  for (const profile of ['canton-3.5', 'interface']) {
    const url = await replayingParticipant(t, proxy.exchanges)
    const replayed = await conform(...rows, '--target', url, '--seed', 'another', '--profile', profile)
    t.equal(replayed.code, 1)
    t.match(replayed.stdout, /fail {2}CBI-OWN-CONTRACT/)
  }
})
