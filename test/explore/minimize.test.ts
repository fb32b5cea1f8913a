/** The shortest way to where two sides differ, found without any participant. */
import t from 'tap'
import { variable } from '../../explore/generate/variable.js'
import { shrink } from '../../explore/minimize/minimize.js'
import type { Turn } from '../../explore/send/step.js'
import type { Data } from '../../record/types/resolved-row.js'

const turn = (about: string, body: Data, capture: Record<string, string> = {}): Turn => ({
  ...{ about, operation: 'submit-and-wait', actor: 'operator', capture },
  request: { method: 'POST', path: '/', headers: {}, body: { json: body } },
})

const plenty = { attempts: 200, until: Number.POSITIVE_INFINITY }

const bodyOf = ({ request: { body } }: Turn): Data => (body && 'json' in body ? body.json : null)

/** The turns that are left where this is what it takes for the sides to differ. */
const shrunk = async (turns: readonly Turn[], differs: (turns: readonly Turn[]) => boolean): Promise<readonly Turn[]> =>
  (await shrink(turns, async (some) => differs(some), plenty)).turns

t.test('what was disturbed is as it was before, where that makes no difference', async (t) => {
  const calm = turn('create', { commands: ['x'] })
  const disturbed: Turn = { ...calm, about: 'in another form', request: { ...calm.request, method: 'PUT' }, calm }
  const [left] = await shrunk([disturbed], () => true)
  t.equal(left?.request.method, 'POST')
  t.notOk(left && 'calm' in left, 'what it would have been is not told')
  const [kept] = await shrunk([disturbed], ([last]) => last?.request.method === 'PUT')
  t.equal(kept?.request.method, 'PUT')
})

t.test('a request about what came late is had about what was there before, by whoever it takes', async (t) => {
  const turns = [
    turn('create', { create: 1 }, { c1: '/events/0/contractId' }),
    turn('exercise', { of: variable('c1') }, { c2: '/events/1/contractId' }),
    turn('look up', { contractId: variable('c2'), queryingParties: [variable('alice')] }),
  ]
  const isStranger = (last: Data | undefined): boolean => {
    const text = JSON.stringify(last)
    return text.includes(variable('c2'))
      ? text.includes(variable('alice'))
      : text.includes(variable('c1')) && text.includes(variable('bob'))
  }
  const left = await shrunk(turns, (some) => {
    const last = some.at(-1)
    const known = new Set(some.flatMap(({ capture }) => Object.keys(capture)))
    const used = JSON.stringify(some.map(bodyOf)).match(/c[12](?=\})/g) ?? []
    return last !== undefined && isStranger(bodyOf(last)) && used.every((name) => known.has(name))
  })
  t.strictSame(
    left.map(({ about }) => about),
    ['create', 'look up'],
  )
})

t.test('what is captured moves to the front where commands are left out', async (t) => {
  const turns = [
    turn('two commands', { commands: ['first', 'second'] }, { update: '/updateId' }),
    turn('read', { update: variable('update') }, { c: '/events/1/contractId' }),
    turn('look up', { contractId: variable('c') }),
  ]
  const left = await shrunk(turns, (some) => {
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
