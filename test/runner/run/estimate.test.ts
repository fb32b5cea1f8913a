/** The expected duration of a run follows from the responses of its target; test/runner/plan/plan.test.ts has the calculation. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ExpectedDuration } from '../../../runner/run/forecast-effects.js'
import { run } from '../../../runner/run/run.js'
import { defaultAccess } from '../../../runner/target/target-file.js'
import { fakeParticipant } from '../../support/servers/fake-participant.js'
import { readTarget } from '../../support/suites/plain-target.js'
import {
  accepted,
  caseOf,
  fixtureOf,
  location,
  profileOf,
  requestOf,
  rowOf,
  stepOf,
  suiteOf,
} from '../../support/suites/small-suite.js'

const suite = suiteOf({
  actors: new Map([['operator', { name: 'operator', rights: ['ParticipantAdmin'], location }]]),
  requests: new Map([['submit', requestOf('submit', 'submit-and-wait', { body: { commandId: 'one' } })]]),
  fixtures: new Map([
    ['made', fixtureOf('made', [stepOf({ request: 'submit', ...accepted, capture: { 'made.id': '/updateId' } })])],
  ]),
  cases: [
    caseOf(
      'COMMIT',
      Array.from({ length: 100 }, (_, index) =>
        // biome-ignore lint/suspicious/noTemplateCurlyInString: suites write variables in this form
        rowOf(`row-${index}`, [stepOf({ request: 'submit', ...accepted, edit: { '/id': '${made.id}' } })]),
      ),
    ),
  ],
})

/** Rejects the request that tests whether the operation exists. */
const refusing = {
  '/v2/commands/submit-and-wait': ({ body }: { body: object }) =>
    Object.keys(body).length === 0 ? { status: 400, json: {} } : undefined,
}

interface Estimates {
  before: ExpectedDuration
  measured: ExpectedDuration
}

async function estimatesAt(t: Test, url: string): Promise<Estimates> {
  const found: Partial<Estimates> = {}
  const usual = {
    suite,
    profile: profileOf(),
    embedded: false,
    tool: { name: 'test', version: '0' },
    timeLimit: 30_000,
  }
  await run(
    {
      ...usual,
      target: readTarget(url, 'none'),
      access: defaultAccess,
      recordFile: join(t.testdir(), 'run.ndjson'),
      concurrency: 4,
      lateDelay: 0,
    },
    {
      planned: ({ forecast }) => {
        found.before = forecast.duration
      },
      estimated: ({ requests, transactions, duration }) => {
        t.equal(requests, 100)
        t.equal(transactions, 101)
        found.measured = duration
      },
      row: () => undefined,
    },
  )
  const { before, measured } = found
  if (!before || !measured) throw new Error('the run estimated nothing')
  return { before, measured }
}

t.test(
  'before the first commit, the estimate assumes the commits of the reference; then it uses those of the target',
  async (t) => {
    const { url } = await fakeParticipant(t, refusing)
    const { before, measured } = await estimatesAt(t, url)
    t.match(before, { assumesCommits: true })
    t.ok(before.seconds >= 30, `${before.seconds} s for 100 commits with 2.7 in a second`)
    t.notOk(measured.assumesCommits)
  },
)
