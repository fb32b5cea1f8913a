/** Minimization of sequences, without participants. */
import t from 'tap'
import { variable } from '../../explore/generate/draft-step.js'
import { minimize } from '../../explore/minimize/minimize.js'
import type { Step } from '../../explore/send/step.js'
import type { Data } from '../../record/types/resolved-row.js'

const step = (about: string, body: Data, capture: Record<string, string> = {}): Step => ({
  ...{ about, operation: 'submit-and-wait', actor: 'operator', capture },
  request: { method: 'POST', path: '/', headers: {}, body: { json: body } },
})

const budget = { attempts: 200, until: Number.POSITIVE_INFINITY }

const bodyOf = ({ request: { body } }: Step): Data => (body && 'json' in body ? body.json : null)

/** `differs`: whether the sides differ. */
const minimized = async (
  steps: readonly Step[],
  differs: (steps: readonly Step[]) => boolean,
): Promise<readonly Step[]> => (await minimize(steps, async (some) => differs(some), budget)).steps

t.test('restores the original of an altered step if possible', async (t) => {
  const original = step('create', { commands: ['x'] })
  const altered: Step = {
    ...original,
    about: 'in another form',
    request: { ...original.request, method: 'PUT' },
    original,
  }
  const [left] = await minimized([altered], () => true)
  t.equal(left?.request.method, 'POST')
  t.notOk(left && 'calm' in left, 'without its original')
  const [kept] = await minimized([altered], ([last]) => last?.request.method === 'PUT')
  t.equal(kept?.request.method, 'PUT')
})

t.test('retargets the last request to an earlier contract and another party', async (t) => {
  const steps = [
    step('create', { create: 1 }, { c1: '/events/0/contractId' }),
    step('exercise', { of: variable('c1') }, { c2: '/events/1/contractId' }),
    step('look up', { contractId: variable('c2'), queryingParties: [variable('alice')] }),
  ]
  const isUnauthorized = (last: Data | undefined): boolean => {
    const text = JSON.stringify(last)
    return text.includes(variable('c2'))
      ? text.includes(variable('alice'))
      : text.includes(variable('c1')) && text.includes(variable('bob'))
  }
  const left = await minimized(steps, (some) => {
    const last = some.at(-1)
    const known = new Set(some.flatMap(({ capture }) => Object.keys(capture)))
    const used = JSON.stringify(some.map(bodyOf)).match(/c[12](?=\})/g) ?? []
    return last !== undefined && isUnauthorized(bodyOf(last)) && used.every((name) => known.has(name))
  })
  t.strictSame(
    left.map(({ about }) => about),
    ['create', 'look up'],
  )
})

t.test('moves captures forward if a command is removed', async (t) => {
  const steps = [
    step('two commands', { commands: ['first', 'second'] }, { update: '/updateId' }),
    step('read', { update: variable('update') }, { c: '/events/1/contractId' }),
    step('look up', { contractId: variable('c') }),
  ]
  const left = await minimized(steps, (some) => {
    const [submitted, read, last] = some.map(bodyOf)
    const commands = submitted && typeof submitted === 'object' && 'commands' in submitted ? submitted['commands'] : []
    const at = Array.isArray(commands) ? commands.indexOf('second') : -1
    return (
      at >= 0 &&
      some[1]?.capture['c'] === `/events/${at}/contractId` &&
      read !== undefined &&
      JSON.stringify(last).includes(variable('c'))
    )
  })
  t.strictSame(left.map(bodyOf)[0], { commands: ['second'] })
  t.equal(left[1]?.capture['c'], '/events/0/contractId')
})
