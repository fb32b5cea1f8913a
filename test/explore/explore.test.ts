/** Explorations of simulators: findings, divergences, limits and saved findings. */
import t from 'tap'
import { readSaved, replay, savedText } from '../../explore/replay.js'
import { bodyOf } from '../../lab/interceptors/bodies.js'
import type { JsonObject } from '../../lib/json/json.js'
import { UsageError } from '../../lib/usage-error.js'
import { createParticipant, serve, startSimulator } from '../../simulator/simulator.js'
import { alone, explorationOf, explored } from '../support/records/explored.js'

t.test('the simulator does not differ from itself', async (t) => {
  for (const [seed, options, sequences] of [
    // One of eight sequences changes vetting while others know its serial.
    ['older', { protocolVersion: 34 as const }, 6],
    ['tokens', { authorization: 'hs256:secret-of-the-test', synchronizers: 2 }, 3],
  ] as const) {
    const { findings, unconfirmed, divergences, outcomes } = await explored(options, {
      seed,
      sequences,
      concurrency: 2,
    })
    t.strictSame(
      findings.map(({ signature }) => signature),
      [],
      seed,
    )
    t.strictSame([...unconfirmed.keys()], [], seed)
    t.strictSame(divergences, [], seed)
    t.ok(outcomes.size > 25, `${seed}: many outcomes`)
  }
})

t.test('repeats requests after status 429, without a finding', async (t) => {
  const participant = await createParticipant()
  let count = 0
  let rejected = 0
  participant.interceptor =
    ({ handle }) =>
    (call) => {
      count += 1
      if (count % 15 !== 0) return handle(call)
      rejected += 1
      return Promise.resolve({ status: 429, contentType: 'text/plain', text: 'too many requests' })
    }
  const { url, close } = await serve(participant)
  t.teardown(() => close())
  const { findings, unconfirmed } = await explored({}, { url, seed: 'busy', sequences: 2, concurrency: 1 })
  t.ok(rejected > 2, `${rejected} rejected`)
  t.strictSame([findings.map(({ signature }) => signature), [...unconfirmed.keys()]], [[], []])
})

// mutants.test.ts finds other faults.
t.test(
  'finds a broken rule with few requests; the saved finding has no secrets, and a replay shows it again',
  async (t) => {
    const authorization = 'hs256:secret-of-the-test'
    const rule = 'SAW-ACT-AS-NOT-EMPTY'
    const overrides = { without: [rule] }
    const wanted = { seed: 'b', sequences: 60, only: 'submit-and-wait', ...alone }
    const { findings } = await explored({ authorization, overrides }, wanted)
    const [finding] = findings
    if (!finding) {
      t.fail('no finding')
      return
    }
    t.ok(finding.steps.length <= 4, `${finding.steps.length} requests`)
    const text = savedText(finding)
    for (const answer of [text, ...finding.commands, JSON.stringify(finding.answers)]) {
      t.notMatch(answer, /eyJ|secret-of-the-test|PRIVATE/)
    }
    const saved = readSaved(text, 'F1.json')
    for (const [options, isSame] of [
      [{ overrides }, true],
      [{}, false],
    ] as const) {
      const simulator = await startSimulator({ authorization, ...options })
      t.teardown(() => simulator.close())
      const again = await replay(explorationOf(simulator.url, { authorization }), saved)
      t.equal(again.isSame, isSame)
      t.equal(again.answers.length, finding.steps.length)
    }
  },
)

t.test('a second fault of a participant is a finding of its own', async (t) => {
  const overrides = { without: ['SAW-ACT-AS-NOT-EMPTY', 'SAW-COMMANDS-NOT-EMPTY'] }
  const wanted = { seed: 'b', sequences: 60, only: 'submit-and-wait', concurrency: 1, maxFindings: 2 }
  const { findings } = await explored({ overrides }, wanted)
  t.equal(new Set(findings.map(({ signature }) => signature)).size, 2)
})

t.test('rejects files that are not saved findings', async (t) => {
  const wrong = [
    '',
    '[]',
    '{"format":2}',
    '{"format":1,"id":"F1","signature":"","seed":"","turns":[]}',
    '{"format":1,"id":"F1","signature":"","seed":"","turns":[{}]}',
  ]
  for (const text of wrong) t.throws(() => readSaved(text, 'F1.json'), UsageError)
})

t.test('rejects an unknown operation and names the known ones', async (t) => {
  await t.rejects(explored({}, { only: 'lookup' }), {
    message: /unknown operation lookup. Known operations: contract-by-id/,
  })
})

t.test('an exploration respects its permissions', async (t) => {
  const participant = await createParticipant()
  const requests: (JsonObject | undefined)[] = []
  participant.interceptor =
    ({ handle }) =>
    (call) => {
      if (call.operation === 'update-package-vetting') requests.push(bodyOf(call))
      return handle(call)
    }
  const { url, close } = await serve(participant)
  t.teardown(() => close())
  const permitted = { url, seed: 'permitted', only: 'update-package-vetting', concurrency: 1 }
  await explored({}, { ...permitted, sequences: 1, allowed: new Set(['read', 'write', 'upload']) })
  requests.splice(0)
  await explored({}, { ...permitted, sequences: 2, allowed: new Set(['read', 'write']) })
  t.ok(requests.length > 8, `${requests.length} requests`)
  t.strictSame(
    requests.filter((body) => body?.['dryRun'] !== true),
    [],
    'only dry runs',
  )
  await t.rejects(explored({}, { ...permitted, allowed: new Set(['read']) }), {
    name: 'UsageError',
    message: /--allow write/,
  })
})
