/** A few kinds of hostile answers; `npm run test:endurance` meets hundreds. */
import { join } from 'node:path'
import t from 'tap'
import { readRecord } from '../../../record/file/read-record.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { meetAll } from '../../endurance/meet-hostile-answers.js'
import { hostileAnswers } from '../../support/servers/hostile-answers.js'
import { hostileProxy } from '../../support/servers/hostile-proxy.js'
import { suiteRun } from '../../support/suites/suite-run.js'

t.test('whatever a target answers, a run ends as every run does', async (t) => {
  // Each is met by a process of its own, as users have it: a few have to do.
  const quick = /: (?:cut off|long text|reset|terminal controls) at/
  const answers = hostileAnswers('quick', 23).filter(({ name }) => quick.test(name))
  t.equal(answers.length, 4)
  // Read for late looks, again and again: it took gigabytes.
  answers.push(...hostileAnswers('h', 121).slice(-1))
  t.match(answers.at(-1)?.name, '120: long text at updates')
  await meetAll(answers, t.testdir(), ({ name, problems }) => t.strictSame(problems, [], name))
})

t.test('the same seed gives the same answers', async (t) => {
  const names = (seed: string) => hostileAnswers(seed, 40).map(({ name }) => name)
  t.strictSame(names('one'), names('one'))
  t.notSame(names('one'), names('two'))
})

t.test('what is prepared and is nonsense blocks the rows that need it, by that cause, and fails none', async (t) => {
  const simulator = await startSimulator()
  const proxy = await hostileProxy(simulator.url)
  t.teardown(() => Promise.all([proxy.close(), simulator.close()]))
  const nonsense: readonly [member: string, value: unknown, cause: RegExp][] = [
    [
      'preparedTransaction',
      7,
      /did not give prepared \(\/preparedTransaction\): it is 7, which is no prepared transaction/,
    ],
    ['preparedTransaction', 'no base64!', /it is "no base64!", which is no prepared transaction/],
    ['preparedTransaction', '/////w==', /which is no prepared transaction/],
    [
      'preparedTransactionHash',
      'AAAA',
      /did not give hash \(\/preparedTransactionHash\): it is "AAAA", which is no hash/,
    ],
    ['preparedTransactionHash', null, /did not give hash/],
  ]
  for (const [member, value, cause] of nonsense) {
    proxy.answerBy({
      path: '/v2/interactive-submission/prepare',
      answer: ({ status, headers, body }, response) => {
        const answer = status === 200 ? JSON.stringify({ ...JSON.parse(body.toString('utf8')), [member]: value }) : body
        const { 'content-length': _, ...others } = headers
        response.writeHead(status, others).end(answer)
      },
    })
    const recordFile = join(t.testdir({}), 'run.ndjson')
    await suiteRun(proxy.url, { recordFile, only: 'EXE-ANSWER/*' })
    const { rows } = await readRecord(recordFile)
    const needing = rows.filter(({ resolved }) => resolved.steps.some(({ operation }) => operation === 'prepare'))
    t.ok(needing.length > 0)
    for (const { id, verdict, reason } of needing) {
      t.equal(verdict, 'blocked', `${member} ${JSON.stringify(value)}: ${id}`)
      t.match(reason, cause)
    }
    t.strictSame(
      rows.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id),
      [],
    )
  }
})
