/** Several clients at once: whether any order explains what they were told. */
import t from 'tap'
import { historySvg } from '../../explore/histories/history-svg.js'
import { type Call, linearize, type SequentialSpecification } from '../../explore/histories/linearizability.js'
import { explored } from '../support/records/explored.js'
import { intermittentParticipant } from '../support/servers/intermittent-participant.js'

type Input = { write: number } | 'read'

/** A number that is written and read. */
const register: SequentialSpecification<number, Input, number | 'done'> = {
  initial: 0,
  keyOf: String,
  apply: (state, input, output) => {
    if (input !== 'read') return [input.write]
    return output === state ? [state] : []
  },
}

const call = (
  client: number,
  sent: number,
  answered: number,
  input: Input,
  output: number | 'done' = 'done',
): Call<Input, number | 'done'> => ({
  ...{ client, input, output, sent, answered },
})

t.test('a history is possible where an order explains it', async (t) => {
  const possible: Record<string, Call<Input, number | 'done'>[]> = {
    nothing: [],
    'one after the other': [call(0, 0, 1, { write: 1 }), call(1, 2, 3, 'read', 1)],
    'a read beside a write sees it': [call(0, 0, 10, { write: 1 }), call(1, 2, 3, 'read', 1)],
    'a read beside a write does not see it': [call(0, 0, 10, { write: 1 }), call(1, 2, 3, 'read', 0)],
    'two writes at once, read in the other order': [
      call(0, 0, 10, { write: 1 }),
      call(1, 0, 10, { write: 2 }),
      call(2, 11, 12, 'read', 1),
    ],
    'no answer, and it has happened': [call(0, 0, Number.POSITIVE_INFINITY, { write: 1 }), call(1, 5, 6, 'read', 1)],
    'no answer, and it has not happened': [
      call(0, 0, Number.POSITIVE_INFINITY, { write: 1 }),
      call(1, 5, 6, 'read', 0),
    ],
  }
  for (const [name, history] of Object.entries(possible)) t.ok(linearize(history, register).isPossible, name)
  const impossibleHistory: Record<string, Call<Input, number | 'done'>[]> = {
    'a write is lost': [call(0, 0, 1, { write: 1 }), call(1, 2, 3, 'read', 0)],
    'a value from nowhere': [call(0, 0, 1, { write: 1 }), call(1, 2, 3, 'read', 7)],
    'two reads see two writes in opposite orders': [
      call(0, 0, 10, { write: 1 }),
      call(1, 0, 10, { write: 2 }),
      call(2, 11, 12, 'read', 1),
      call(3, 13, 14, 'read', 2),
    ],
    'gone back': [call(0, 0, 10, { write: 1 }), call(1, 2, 3, 'read', 1), call(1, 4, 5, 'read', 0)],
  }
  for (const [name, history] of Object.entries(impossibleHistory)) {
    const { isPossible, longest } = linearize(history, register)
    t.notOk(isPossible, name)
    t.ok(longest.length < history.length, `${name}: something is left over`)
  }
})

t.test('the search agrees with trying every order', async (t) => {
  let seed = 7
  const below = (end: number): number => {
    seed = (seed * 48271) % 2147483647
    return seed % end
  }
  let count = 0
  for (let index = 0; index < 400; index += 1) {
    const history = Array.from({ length: 4 }, (_, client) => {
      const sent = below(6)
      const input = below(2) === 0 ? { write: below(3) } : ('read' as const)
      return call(client, sent, sent + 1 + below(5), input, input === 'read' ? below(3) : 'done')
    })
    const { isPossible } = linearize(history, register)
    if (isPossible) count += 1
    t.equal(isPossible, someOrderFits(history), JSON.stringify(history))
  }
  t.ok(count > 20 && count < 380)
})

/** Every order in which no call comes before one that was answered before it was sent. */
function someOrderFits(history: readonly Call<Input, number | 'done'>[], state = 0): boolean {
  if (history.length === 0) return true
  return history.some((one) => {
    const others = history.filter((other) => other !== one)
    if (others.some(({ answered }) => answered < one.sent)) return false
    return register.apply(state, one.input, one.output).some((next) => someOrderFits(others, next))
  })
}

t.test('two that win one race, and an update that is lost, are found, with a picture', async (t) => {
  for (const [kind, trial] of [
    ['winners', 'one contract'],
    ['losses', 'submissions'],
  ] as const) {
    const every = kind === 'winners' ? 3 : 6
    const url = await intermittentParticipant(t, kind, (count) => count % every === 0)
    const { histories, findings } = await explored({}, { url, seed: kind, sequences: 120, maxFindings: 1 })
    t.strictSame(findings, [], 'nothing else that would end it')
    const [history] = histories
    t.equal(history?.trial, trial)
    if (!history) continue
    t.ok(history.longest.length < history.calls.length)
    const picture = historySvg(history)
    t.match(picture, /^<svg /)
    t.match(picture, /✗/)
    t.notMatch(picture, /<script/)
  }
})

t.test('what is answered with an error of the server may have happened', async (t) => {
  let times = 0
  const url = await intermittentParticipant(t, 'unsaid', (count) => {
    times = count
    return count % 8 === 0
  })
  const { histories } = await explored({}, { url, seed: 'unsaid', sequences: 12 })
  t.ok(times > 8, `${times} submissions of races`)
  t.strictSame(histories, [])
})

t.test('whoever does not tell what was vetted before may', async (t) => {
  const options = { behaviour: 'interface', variants: ['past-state-never-told'] } as const
  const { histories, trials } = await explored(options, {
    ...{ seed: 'untold', profile: 'interface', requests: 400 },
  })
  t.ok(trials > 0, `${trials} rounds`)
  t.strictSame(histories, [])
})
