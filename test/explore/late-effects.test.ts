/** What shows late is shrunk by waiting for it, and only there. */
import t from 'tap'
import { turnOf } from '../../explore/generate/draft-step.js'
import { variable } from '../../explore/generate/variable.js'
import { shrink } from '../../explore/minimize/minimize.js'
import type { Turn } from '../../explore/send/step.js'
import { SpareLanes } from '../../explore/spare-workers.js'
import type { Lane } from '../../explore/worker.js'

const submissions = Array.from({ length: 12 }, (_, number) =>
  turnOf({ about: `submission ${number}`, operation: 'submit-and-wait', body: { commandId: `c${number}` } }),
)
const end = turnOf({ about: 'the end', operation: 'ledger-end', capture: { end: '/offset' } })
const list = turnOf({ about: 'all', operation: 'updates', body: { endInclusive: variable('end') } })
const plenty = { attempts: 200, until: Number.POSITIVE_INFINITY }

const waited = (turns: readonly Turn[]): number => turns.reduce((sum, { after = 50 }) => sum + after, 0)

const hasThird = (turns: readonly Turn[]): boolean =>
  ['submit-and-wait', 'ledger-end', 'updates'].every((name) => turns.some(({ operation }) => operation === name)) &&
  turns.some(({ about }) => about === 'submission 3')

t.test('an effect that others were slow enough to see is seen by who waits', async (t) => {
  const shows = async (turns: readonly Turn[]) => hasThird(turns) && waited(turns) > 500
  const { turns, isLate } = await shrink([...submissions, end, list], shows, plenty)
  t.equal(turns.length, 3)
  t.equal(turns[1]?.after, 1200)
  t.ok(isLate)
  t.strictSame(turns.at(-1)?.request, list.request, 'what bounds the list stays there')
})

t.test('nobody waits for what is there at once', async (t) => {
  const shows = async (turns: readonly Turn[]) => hasThird(turns)
  const { turns, isLate } = await shrink([...submissions, { ...end, after: 2200 }, list], shows, plenty)
  t.ok(turns.length <= 3)
  t.notOk(turns.some(({ after }) => after !== undefined))
  t.notOk(isLate)
})

t.test('a lane in which something was just asked is not taken again', async (t) => {
  const opened: Lane[] = []
  const spare = new SpareLanes(async () => {
    const lane = {} as Lane // nothing is asked in it
    opened.push(lane)
    return lane
  })
  const [first, second] = [await spare.untouched(), await spare.untouched()]
  t.not(first, second)
  t.equal(opened.length, 2)
})
