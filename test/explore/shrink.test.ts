/** Shrinking of sequences, without participants. */
import t from 'tap'
import { variable } from '../../explore/generate/draft-step.js'
import { shrink } from '../../explore/shrink/shrink.js'
import type { Step } from '../../record/types/exploration.js'
import type { Data } from '../../record/types/resolved-row.js'

const step = (about: string, body: Data, capture: Record<string, string> = {}): Step => ({
  about,
  operation: 'submit-and-wait',
  actor: 'operator',
  capture,
  request: { method: 'POST', path: '/', headers: {}, body: { json: body } },
})

const limits = { attempts: 200, milliseconds: Number.POSITIVE_INFINITY }

const bodyOf = ({ request: { body } }: Step): Data => (body && 'json' in body ? body.json : null)
const about = (one: Step): string => one.about

/** `differs`: whether the sides differ. */
const shrunk = async (steps: readonly Step[], differs: (steps: readonly Step[]) => boolean): Promise<Step[]> =>
  (await shrink(steps, async (some) => differs(some), limits))?.steps ?? []

t.test('restores the original of an altered step if possible', async (t) => {
  const original = step('create', { commands: ['x'] })
  const altered: Step = {
    ...original,
    about: 'in another form',
    request: { ...original.request, method: 'PUT' },
    original,
  }
  const [left] = await shrunk([altered], () => true)
  t.equal(left?.request.method, 'POST')
  t.notOk(left && 'original' in left, 'without its original')
  const [kept] = await shrunk([altered], ([last]) => last?.request.method === 'PUT')
  t.equal(kept?.request.method, 'PUT')
  t.notOk(kept && 'original' in kept, 'without its original')
})

t.test('keeps the steps whose values the last one needs', async (t) => {
  const steps = [
    step('create', { create: 1 }, { c1: '/events/0/contractId' }),
    step('another', { create: 2 }, { c2: '/events/0/contractId' }),
    step('look up', { contractId: variable('c1'), queryingParties: [variable('alice')] }),
  ]
  let attempts = 0
  const left = await shrunk(steps, (some) => {
    attempts += 1
    return JSON.stringify(some.at(-1)).includes(variable('c1'))
  })
  t.strictSame(left.map(about), ['create', 'look up'])
  t.strictSame(left.map(bodyOf), [{}, { contractId: variable('c1') }])
  t.ok(attempts < 12, `${attempts} attempts`)
})

t.test('keeps a step that only the difference needs', async (t) => {
  const steps = Array.from({ length: 20 }, (_, number) => step(`step ${number}`, { number }))
  const left = await shrunk(steps, (some) => ['step 7', 'step 19'].every((name) => some.map(about).includes(name)))
  t.strictSame(left.map(about), ['step 7', 'step 19'])
})

t.test('a difference that does not appear again in three attempts is not confirmed', async (t) => {
  const steps = [step('first', {}), step('last', {})]
  let attempts = 0
  const differsAt = (attempt: number) => async () => {
    attempts += 1
    return attempts === attempt
  }
  t.equal((await shrink(steps, differsAt(4), limits))?.steps.length, 2, 'the last step alone, and three times both')
  attempts = 0
  t.equal(await shrink(steps, differsAt(5), limits), undefined)
})

t.test('the time limit starts when the difference appears again', async (t) => {
  const steps = [step('first', { number: 1 }), step('second', {}), step('last', {})]
  let attempts = 0
  const differsAtLast = async (): Promise<boolean> => {
    attempts += 1
    return attempts === 4
  }
  const result = await shrink(steps, differsAtLast, { ...limits, milliseconds: 0 })
  t.match(result, { attempts: 4, steps }, 'confirmed and not shrunk')
})

t.test('removes a token and keeps a delay that the difference requires', async (t) => {
  const token: NonNullable<Step['token']> = { name: 'other', meaning: 'a token of another user' }
  const original = step('create', {})
  const steps: Step[] = [{ ...original, token, after: 300 }]
  const [left] = await shrunk(steps, ([last]) => last?.after === 300)
  t.notOk(left && 'token' in left)
})

t.test('ends at the limit of attempts', async (t) => {
  const steps = Array.from({ length: 30 }, (_, number) => step(`step ${number}`, { number }))
  let attempts = 0
  const result = await shrink(
    steps,
    async (some) => {
      attempts += 1
      return some.length > 3
    },
    { ...limits, attempts: 5 },
  )
  t.equal(attempts, 5)
  t.equal(result?.attempts, 5)
})

t.test('an error of an attempt is no difference, and ends the shrinking', async (t) => {
  const steps = [step('first', {}), step('last', { number: 1 })]
  let attempts = 0
  const fails = async (): Promise<boolean> => {
    attempts += 1
    if (attempts > 1) throw new RangeError('no answer')
    return true
  }
  await t.rejects(shrink(steps, fails, limits), RangeError)
  t.equal(attempts, 2)
})
