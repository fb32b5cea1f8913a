/** What shows late is shrunk by waiting for it, and only there. */
import t from 'tap'
import { stepOf, variable } from '../../explore/generate/draft-step.js'
import { minimize } from '../../explore/minimize/minimize.js'
import type { Step } from '../../explore/send/step.js'
import { SpareWorkers, type Worker } from '../../explore/worker.js'

const submissions = Array.from({ length: 12 }, (_, number) =>
  stepOf({ about: `submission ${number}`, operation: 'submit-and-wait', body: { commandId: `c${number}` } }),
)
const end = stepOf({ about: 'the end', operation: 'ledger-end', capture: { end: '/offset' } })
const list = stepOf({ about: 'all', operation: 'updates', body: { endInclusive: variable('end') } })
const plenty = { attempts: 200, until: Number.POSITIVE_INFINITY }

const waited = (steps: readonly Step[]): number => steps.reduce((sum, { after = 50 }) => sum + after, 0)

const hasThird = (steps: readonly Step[]): boolean =>
  ['submit-and-wait', 'ledger-end', 'updates'].every((name) => steps.some(({ operation }) => operation === name)) &&
  steps.some(({ about }) => about === 'submission 3')

t.test('an effect that others were slow enough to see is seen by who waits', async (t) => {
  const shows = async (steps: readonly Step[]) => hasThird(steps) && waited(steps) > 500
  const { steps, isLate } = await minimize([...submissions, end, list], shows, plenty)
  t.equal(steps.length, 3)
  t.equal(steps[1]?.after, 1200)
  t.ok(isLate)
  t.strictSame(steps.at(-1)?.request, list.request, 'what bounds the list stays there')
})

t.test('nobody waits for what is there at once', async (t) => {
  const shows = async (steps: readonly Step[]) => hasThird(steps)
  const { steps, isLate } = await minimize([...submissions, { ...end, after: 2200 }, list], shows, plenty)
  t.ok(steps.length <= 3)
  t.notOk(steps.some(({ after }) => after !== undefined))
  t.notOk(isLate)
})

t.test('a lane in which something was just asked is not taken again', async (t) => {
  const opened: Worker[] = []
  const spare = new SpareWorkers(async () => {
    const worker = {} as Worker // nothing is asked in it
    opened.push(worker)
    return worker
  })
  const [first, second] = [await spare.idle(), await spare.idle()]
  t.not(first, second)
  t.equal(opened.length, 2)
})
