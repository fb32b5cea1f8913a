/** Each of the participants that lie does what its sentence says: something shows that an honest participant does not show. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { createParticipant } from '../simulator/simulator.js'
import { adminClaims, bearer, right, sign } from './guarded-world.js'
import { lies } from './participants/lies.js'
import { type Asked, type Lie, lyingParticipant, type Told } from './participants/stage.js'
import { type Facts, tour } from './participants/tour.js'
import { submitPath, worldOf } from './simulator-world.js'
import { stillClock } from './still-clock.js'
import { connect } from './wire.js'

const honest: Lie = { name: 'honest', sentence: 'It does not lie.', rules: [], tell: ({ ask }) => ask }

/** The facts of the tour in which lies show. Of those that differ in a delay alone the shortest is enough. */
const shows: Record<string, keyof Facts> = {
  'duplicates-committed': 'duplicate',
  'refused-then-done-submit-and-wait-50': 'refusal',
  'refused-then-done-execute-50': 'refused to execute',
  'refused-then-done-execute-and-wait-for-transaction-50': 'refused to execute for a transaction',
  'refused-then-done-update-package-vetting-50': 'after a refused change',
  'committed-twice': 'once each',
  'deduplication-default-of-a-second': 'by default',
  'deduplication-forgets-after-twenty': 'after twenty',
  'deduplication-forgets-after-a-second': 'after a second',
  'texts-normalised': 'text e\u0301',
  'texts-cut': 'text xxxxxxxx',
  'texts-trimmed': 'text  padded ',
  'texts-without-astral': 'text \u{1d11e}',
  'disclosed-contracts-ignored': 'disclosed',
  'read-as-for-exercises-alone': 'fetched by a reader',
  'first-submission-id-reported': 'submission ids',
  'any-body-read': 'odd bodies',
  'dry-run-applied-50': 'after a dry run',
  'vetting-undone-later': 'a while later',
  'changes-of-others-lost': 'two changes one after the other',
  'second-change-dropped': 'two changes at once',
  'both-racing-changes-accepted': 'racing changes',
  'strangers-as-witnesses': 'witnesses',
  'visible-to-several': 'shown to strangers',
  'newest-version-as-representative': 'representative',
  'format-answered-with-500': 'with a format',
  'templates-show-nothing': 'by template',
  'not-verbose-shows-nothing': 'not verbose',
  'seconds-in-record-time': 'record time',
  'seconds-in-effective-at': 'effective time',
  'record-time-as-effective-at': 'times apart',
  'effective-at-as-record-time': 'times apart',
  'execute-does-nothing': 'executed',
}

/** Tried in tests of their own: those of tokens, and those that only take their time. */
const apart = ['another-user-used', 'token-looked-at-once', 'min-ledger-time-waited-for', 'slow']

async function factsOf(t: Test, lie: Lie): Promise<Facts> {
  const clock = stillClock()
  const { url, settled } = await lyingParticipant(t, lie, { clock, answerLimit: 1000 })
  const world = await worldOf(t, { url, close: () => Promise.resolve() })
  return tour(world, { settled, advance: (milliseconds) => clock.advance(milliseconds) })
}

t.test('every lie is tried, and cites rules that there are', (t) => {
  const names = lies.map(({ name }) => name)
  t.equal(new Set(names).size, names.length, 'each has a name of its own')
  const withoutDelay = (name: string): string => name.replace(/-\d+$/, '')
  const tried = new Set([...Object.keys(shows), ...apart].map(withoutDelay))
  t.strictSame(
    [...new Set(names.map(withoutDelay))].filter((name) => !tried.has(name)),
    [],
  )
  const folder = fileURLToPath(new URL('../../suites/rules/', import.meta.url))
  const rules = readdirSync(folder).map((file) => readFileSync(`${folder}${file}`, 'utf8'))
  const known = new Set(rules.flatMap((file) => [...file.matchAll(/\bid: ([A-Z][A-Z0-9-]+)/g)].map(([, id]) => id)))
  for (const { name, rules: cited } of lies) {
    t.strictSame(
      cited.filter((id) => !known.has(id)),
      [],
      name,
    )
  }
  t.end()
})

t.test('a lie shows where it should, and honesty nowhere', async (t) => {
  const truth = await factsOf(t, honest)
  t.strictSame(await factsOf(t, honest), truth, 'two honest participants say the same')
  const told = Object.entries(shows).map(async ([name, fact]) => {
    const lie = lies.find((item) => item.name === name)
    if (!lie) throw new Error(`there is no lie ${name}`)
    return { name, fact, facts: await factsOf(t, lie) }
  })
  for (const { name, fact, facts } of await Promise.all(told)) {
    t.ok(fact in truth, `the tour has the fact ${fact}`)
    t.not(facts[fact], truth[fact], `${name}: ${fact}: ${truth[fact]}`)
  }
})

const lieOf = (name: string): Lie => lies.find((lie) => lie.name === name) ?? honest
const secret = 'a secret of thirty-two bytes and more'

t.test('lies about tokens', async (t) => {
  const completionsOf = async (lie: Lie) => {
    const { url } = await lyingParticipant(t, lie, { authorization: `hs256:${secret}` })
    const admin = bearer(await sign(adminClaims()))
    const world = await worldOf(t, { url, close: () => Promise.resolve() }, admin)
    const rights = [right('CanActAs', world.alice)].map((kind) => ({ kind }))
    await world.wire.post('/v2/users', { user: { id: 'ann' }, rights }, admin)
    const ann = bearer(await sign({ ...adminClaims(), sub: 'ann' }))
    const { userId: _userId, ...body } = world.submission()
    const submitted = await world.wire.post(submitPath, body, ann)
    const completions = await world.wire.post(
      '/v2/commands/completions',
      { userId: 'ann', parties: [world.alice], beginExclusive: 0 },
      ann,
    )
    const own = connect(url, 1)
    t.teardown(() => own.close())
    const end = { method: 'GET', path: '/v2/state/ledger-end' }
    await own.send({ ...end, headers: ann })
    const second = await own.send({ ...end, headers: { authorization: 'Bearer x.y.z' } })
    return {
      submitted: submitted.status,
      completed: completions.text.includes('"userId":"ann"'),
      second: second.status,
    }
  }
  const truth = { submitted: 200, completed: true, second: 401 }
  t.strictSame(await completionsOf(honest), truth)
  t.strictSame(await completionsOf(lieOf('another-user-used')), { ...truth, completed: false })
  const { second } = await completionsOf(lieOf('token-looked-at-once'))
  t.equal(second, 200, 'the first token counts')
})

t.test('lies that take their time', async (t) => {
  const asked = (operation: Asked['operation'], body: string): Asked => {
    return { operation, method: 'POST', path: '/', headers: {}, body: Buffer.from(body), connection: {} }
  }
  const told: Told = { status: 200, contentType: 'application/json', text: '{}' }
  const participant = await createParticipant()
  const delaysOf = async (name: string, request: Asked): Promise<number[]> => {
    const delays: number[] = []
    const later = (milliseconds: number, effect: () => unknown): void => {
      delays.push(milliseconds)
      effect()
    }
    await lieOf(name).tell({ participant, later, ask: () => Promise.resolve(told) })(request)
    return delays
  }
  const at = (time: string): string => `{"minLedgerTime":{"time":{"MinLedgerTimeAbs":{"value":"${time}"}}}}`
  const soon = at(new Date(Date.now() + 20_000).toISOString())
  t.strictSame(await delaysOf('slow', asked(undefined, '')), [300])
  const [delay = 0, ...more] = await delaysOf('min-ledger-time-waited-for', asked('execute', soon))
  t.ok(delay > 10_000 && delay <= 20_000 && more.length === 0)
  t.strictSame(await delaysOf('min-ledger-time-waited-for', asked('execute', at('2020-01-01T00:00:00Z'))), [])
  t.strictSame(await delaysOf('min-ledger-time-waited-for', asked('execute', '{}')), [])
  t.strictSame(await delaysOf('min-ledger-time-waited-for', asked('submit-and-wait', soon)), [])
})
