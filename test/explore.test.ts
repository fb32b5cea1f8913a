/** Conversations that nobody wrote, with a participant and the model at once. */
import t from 'tap'
import { explored } from './explored.js'

t.test('the simulator does not differ from itself', async (t) => {
  for (const [seed, options] of [
    ['plain', {}],
    ['tokens', { authorization: 'hs256:secret-of-the-test' }],
    ['older', { protocolVersion: 34 as const }],
    ['two', { synchronizers: 2 }],
  ] as const) {
    const { findings, unconfirmed, divergences, outcomes } = await explored(options, { seed, conversations: 10 })
    t.strictSame(
      findings.map(({ signature }) => signature),
      [],
      seed,
    )
    t.strictSame([...unconfirmed.keys()], [], seed)
    t.strictSame(divergences, [], seed)
    t.ok(outcomes.size > 25, `${seed}: conversations meet many outcomes`)
  }
})

t.test('a participant that breaks one rule is found out, by few requests', async (t) => {
  for (const rule of ['CBI-STAKEHOLDER-INTERSECTION', 'SAW-ACT-AS-NOT-EMPTY', 'VET-SERIAL-GUARD']) {
    const { findings } = await explored({ without: [rule] }, { seed: rule, conversations: 60, most: 1 })
    const [finding] = findings
    t.ok(finding, `${rule}: found`)
    t.ok((finding?.turns.length ?? 99) <= 4, `${rule}: ${finding?.turns.length} requests`)
  }
})

t.test('a finding names the rule where the text decides, and says where it does not', async (t) => {
  const { findings } = await explored(
    { without: ['CBI-STAKEHOLDER-INTERSECTION'] },
    { seed: 'text', conversations: 60, most: 1 },
  )
  const [ruling] = findings.map((finding) => finding.ruling)
  t.match(ruling, { kind: 'breaks-rule' })
  t.ok(ruling?.kind === 'breaks-rule' && ruling.rules.includes('CBI-STAKEHOLDER-INTERSECTION'))
})

t.test('where the target follows the text, the divergence of the reference is named', async (t) => {
  const { findings, divergences } = await explored({ behaviour: 'interface' }, { seed: 'text', conversations: 40 })
  t.strictSame(
    findings.map(({ signature }) => signature),
    [],
  )
  t.ok(divergences.length >= 6)
  for (const { ids } of divergences) t.not(ids.length, 0)
})

t.test('the same seed draws the same conversations', async (t) => {
  const [first, second] = [
    await explored({}, { seed: 'same', conversations: 5 }),
    await explored({}, { seed: 'same', conversations: 5 }),
  ]
  t.strictSame([...first.outcomes], [...second.outcomes])
})
