/** Linearizability of histories, and concurrency trials that find violations. */
import t from 'tap'
import { type Call, linearize, type SequentialSpecification } from '../../explore/histories/linearizability.js'
import { findOverrides } from '../../lab/find-overrides.js'
import { alone, explored } from '../support/records/explored.js'
import { intermittentParticipant } from '../support/servers/intermittent-participant.js'

type Input = { write: number } | 'read'

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
  client,
  input,
  output,
  sent,
  answered,
})

t.test('a history is possible if some order explains it', async (t) => {
  const possible: Record<string, Call<Input, number | 'done'>[]> = {
    nothing: [],
    'sequential calls': [call(0, 0, 1, { write: 1 }), call(1, 2, 3, 'read', 1)],
    'a concurrent read sees the write': [call(0, 0, 10, { write: 1 }), call(1, 2, 3, 'read', 1)],
    'a concurrent read does not see the write': [call(0, 0, 10, { write: 1 }), call(1, 2, 3, 'read', 0)],
    'a read after two concurrent writes sees the first one': [
      call(0, 0, 10, { write: 1 }),
      call(1, 0, 10, { write: 2 }),
      call(2, 11, 12, 'read', 1),
    ],
    'a write without an answer has an effect': [
      call(0, 0, Number.POSITIVE_INFINITY, { write: 1 }),
      call(1, 5, 6, 'read', 1),
    ],
    'a write without an answer has no effect': [
      call(0, 0, Number.POSITIVE_INFINITY, { write: 1 }),
      call(1, 5, 6, 'read', 0),
    ],
  }
  for (const [name, history] of Object.entries(possible)) t.ok(linearize(history, register).isLinearizable, name)
  const impossibleHistory: Record<string, Call<Input, number | 'done'>[]> = {
    'a write is lost': [call(0, 0, 1, { write: 1 }), call(1, 2, 3, 'read', 0)],
    'a read of a value that was never written': [call(0, 0, 1, { write: 1 }), call(1, 2, 3, 'read', 7)],
    'two reads see two writes in opposite orders': [
      call(0, 0, 10, { write: 1 }),
      call(1, 0, 10, { write: 2 }),
      call(2, 11, 12, 'read', 1),
      call(3, 13, 14, 'read', 2),
    ],
    'a later read sees the earlier value': [
      call(0, 0, 10, { write: 1 }),
      call(1, 2, 3, 'read', 1),
      call(1, 4, 5, 'read', 0),
    ],
  }
  for (const [name, history] of Object.entries(impossibleHistory)) {
    const { isLinearizable, longest } = linearize(history, register)
    t.notOk(isLinearizable, name)
    t.ok(longest.length < history.length, `${name}: not all calls fit`)
  }
})

t.test('the search agrees with all permutations', async (t) => {
  let seed = 7
  const below = (end: number): number => {
    seed = (seed * 48271) % 2147483647
    return seed % end
  }
  let count = 0
  for (let index = 0; index < 200; index += 1) {
    const history = Array.from({ length: 4 }, (_, client) => {
      const sent = below(6)
      const input = below(2) === 0 ? { write: below(3) } : ('read' as const)
      return call(client, sent, sent + 1 + below(5), input, input === 'read' ? below(3) : 'done')
    })
    const { isLinearizable } = linearize(history, register)
    if (isLinearizable) count += 1
    t.equal(isLinearizable, someOrderFits(history), JSON.stringify(history))
  }
  t.ok(count > 10 && count < 190)
})

/** Tries each order that respects the order of non-overlapping calls. */
function someOrderFits(history: readonly Call<Input, number | 'done'>[], state = 0): boolean {
  if (history.length === 0) return true
  return history.some((one) => {
    const others = history.filter((other) => other !== one)
    if (others.some(({ answered }) => answered < one.sent)) return false
    return register.apply(state, one.input, one.output).some((next) => someOrderFits(others, next))
  })
}

t.test('finds a race with two winners and a lost update', async (t) => {
  for (const [kind, trial] of [
    ['winners', 'one contract'],
    ['losses', 'submissions'],
  ] as const) {
    const every = kind === 'winners' ? 3 : 6
    const url = await intermittentParticipant(t, kind, (count) => count % every === 0)
    const { histories, findings } = await explored({}, { url, seed: 'b', sequences: 120, ...alone })
    t.strictSame(findings, [], 'no other finding')
    const [history] = histories
    t.equal(history?.trial, trial)
    if (!history) continue
    t.ok(history.longest.length < history.calls.length)
  }
})

t.test('a request with a server error may have taken effect', async (t) => {
  let times = 0
  const url = await intermittentParticipant(t, 'unsaid', (count) => {
    times = count
    return count % 8 === 0
  })
  const { histories } = await explored({}, { url, seed: 'unsaid', sequences: 6, concurrency: 1 })
  t.ok(times > 8, `${times} submissions of races`)
  t.strictSame(histories, [])
})

t.test('a participant may omit the past vetting state', async (t) => {
  const options = { behaviour: 'interface', overrides: findOverrides({ variants: ['no-past-state'] }) } as const
  const wanted = { seed: 'untold', profile: 'interface', requests: 150, concurrency: 1 }
  const { histories, trials } = await explored(options, wanted)
  t.ok(trials > 0, `${trials} trials`)
  t.strictSame(histories, [])
})
