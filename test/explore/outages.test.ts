/** Explorations of simulator processes that end and start again. */
import { join } from 'node:path'
import t from 'tap'
import { exploreWithRestarts } from '../support/processes/restarted-exploration.js'

t.test('an exploration waits for a target that returns with its state', async (t) => {
  const file = join(t.testdir(), 'state.json')
  const { explored, end, restarts } = await exploreWithRestarts({
    seed: 'state',
    signal: 'SIGTERM',
    file,
    period: 2,
    sequences: 6,
    concurrency: 2,
    most: 1,
  })
  t.equal(restarts, 1)
  t.equal(end.decided, undefined)
  t.ok(explored.discarded > 0, `${explored.discarded} discarded results`)
  t.strictSame([explored.findings, explored.histories, explored.divergences], [[], [], []])
  t.ok(explored.sequences - explored.discarded > 2, 'the exploration continues')
})
