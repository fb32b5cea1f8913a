/** Targets that repeat secrets: a sample. `npm run test:endurance` tests all places, scopes and commands. */
import t from 'tap'
import { conform } from '../../support/processes/conform-process.js'
import { encodings } from '../../support/records/secret-encodings.js'
import { commandNames, echoRound } from '../../support/servers/echo-rounds.js'

t.test('no secret that a target repeats in each encoding is in any output of a run and its report', async (t) => {
  const round = { place: 'a member', scope: 'the operation under test', only: /^(?:run|report)$/ }
  const { leaks, ran, used } = await echoRound(t, t.testdir(), round)
  t.strictSame(leaks, [])
  t.strictSame([ran, used], [2, Object.keys(encodings).length])
})

t.test('doctor prints no secret from an error page', async (t) => {
  const { leaks, used } = await echoRound(t, t.testdir(), {
    place: 'a page',
    scope: 'every operation',
    only: /^doctor$/,
  })
  t.strictSame(leaks, [])
  t.ok(used > 0)
})

// A renamed command would end as wrong usage, without a secret.
t.test('the rounds call commands of the program', async (t) => {
  for (const name of commandNames) {
    const { stdout } = await conform(name, '--help')
    t.match(stdout, `Usage: conform ${name} `)
  }
})
