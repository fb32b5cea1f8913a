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
    period: 4,
    sequences: 12,
    concurrency: 4,
    most: 1,
  })
  t.equal(restarts, 1)
  t.equal(end.decided, undefined)
  t.ok(explored.discarded > 0, `${explored.discarded} discarded results`)
  t.strictSame([explored.findings, explored.histories, explored.divergences], [[], [], []])
  t.ok(explored.sequences - explored.discarded > 4, 'the exploration continues')
})

t.test('an exploration ends when the target returns as a different participant', async (t) => {
  const { explored, end } = await exploreWithRestarts({
    seed: 'empty',
    signal: 'SIGKILL',
    period: 4,
    sequences: 100,
    concurrency: 4,
  })
  t.match(end.decided, { cause: 'target-gone', participant: /^"sandbox::1220/ })
  t.ok(explored.sequences < 20, `${explored.sequences} sequences`)
  t.strictSame([explored.findings, explored.histories, explored.divergences], [[], [], []])
})
