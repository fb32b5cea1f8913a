/** Late effects: shrinking adds a delay if and only if it helps. */
import t from 'tap'
import { stepOf, variable } from '../../explore/generate/draft-step.js'
import { shrink } from '../../explore/shrink/shrink.js'
import type { Step } from '../../record/types/exploration.js'

const submissions = Array.from({ length: 12 }, (_, number) =>
  stepOf({ about: `submission ${number}`, operation: 'submit-and-wait', body: { commandId: `c${number}` } }),
)
const end = stepOf({ about: 'the end', operation: 'ledger-end', capture: { end: '/offset' } })
const list = stepOf({ about: 'all', operation: 'updates', body: { endInclusive: variable('end') } })
const limits = { attempts: 200, milliseconds: Number.POSITIVE_INFINITY }

const waited = (steps: readonly Step[]): number => steps.reduce((sum, { after = 50 }) => sum + after, 0)

const showsDifference = (steps: readonly Step[]): boolean =>
  ['submit-and-wait', 'ledger-end', 'updates'].every((name) => steps.some(({ operation }) => operation === name)) &&
  steps.some(({ about }) => about === 'submission 3')

t.test('a delay replaces steps that only took time', async (t) => {
  const shows = async (steps: readonly Step[]) => showsDifference(steps) && waited(steps) > 500
  const result = await shrink([...submissions, end, list], shows, limits)
  t.equal(result?.steps.length, 3)
  t.equal(result?.steps[1]?.after, 1200)
  t.ok(result?.isLate)
  t.strictSame(result?.steps.at(-1)?.request, list.request, 'the bounds of the list remain')
})

t.test('removes an unneeded delay', async (t) => {
  const shows = async (steps: readonly Step[]) => showsDifference(steps)
  const result = await shrink([...submissions, { ...end, after: 2200 }, list], shows, limits)
  t.equal(result?.steps.length, 3)
  t.notOk(result?.steps.some(({ after }) => after !== undefined))
  t.notOk(result?.isLate)
})

t.test('a limit of attempts leaves no unneeded delay', async (t) => {
  const steps = [...submissions, { ...end, after: 300 }, list]
  const early = await shrink(steps, async ({ length }) => length === steps.length, { ...limits, attempts: 2 })
  t.match(early, { attempts: 2, isLate: false })
  t.notOk(early?.steps.some(({ after }) => after !== undefined))
  const isDelayed = async (some: readonly Step[]): Promise<boolean> =>
    some.length === steps.length && some.some(({ after }) => after === 300)
  const late = await shrink(steps, isDelayed, { ...limits, attempts: 3 })
  t.match(late, { attempts: 3, isLate: true }, 'the difference requires the delay')
})
