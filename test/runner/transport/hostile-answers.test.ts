/** A few kinds of hostile answers; `npm run test:endurance` uses hundreds. */
import { join } from 'node:path'
import t from 'tap'
import { readRecord } from '../../../record/file/read-record.js'
import { meetAll } from '../../endurance/meet-hostile-answers.js'
import { hostileAnswers } from '../../support/servers/hostile-answers.js'
import { proxiedSimulator } from '../../support/servers/hostile-proxy.js'
import { suiteRun } from '../../support/suites/suite-run.js'
import { inWords } from '../../support/words/in-words.js'

t.test('a run completes normally on hostile answers', async (t) => {
  const answers = hostileAnswers('quick', 23).filter(({ name }) => /: cut off at/.test(name))
  t.equal(answers.length, 1)
  // Late-effects checks read this answer repeatedly.
  answers.push(...hostileAnswers('h', 121).slice(-1))
  t.match(answers.at(-1)?.name, '120: long text at updates')
  await meetAll(answers, t.testdir(), ({ name, problems }) => t.strictSame(problems, [], name))
})

t.test('the same seed gives the same answers', async (t) => {
  const names = (seed: string) => hostileAnswers(seed, 40).map(({ name }) => name)
  t.strictSame(names('one'), names('one'))
  t.notSame(names('one'), names('two'))
})

t.test('an invalid prepared transaction blocks the rows that need it, and fails none', async (t) => {
  const proxy = await proxiedSimulator(t)
  const invalid: readonly [member: string, value: unknown, cause: RegExp][] = [
    [
      'preparedTransaction',
      7,
      /did not return prepared \(\/preparedTransaction\): expected a prepared transaction, found 7/,
    ],
    ['preparedTransaction', '/////w==', /: expected a prepared transaction, found/],
    [
      'preparedTransactionHash',
      'AAAA',
      /did not return hash \(\/preparedTransactionHash\): expected a hash, found "AAAA"/,
    ],
  ]
  for (const [member, value, cause] of invalid) {
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
      t.match(inWords(reason), cause)
    }
    t.strictSame(
      rows.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id),
      [],
    )
  }
})

t.test('an offset in another form blocks the rows whose requests would contain it, and fails none', async (t) => {
  const proxy = await proxiedSimulator(t)
  for (const [form, cause] of [
    ['$1.0', /did not return begin \(\/offset\): expected a non-negative integer \(digits only\), found \d+\.0/],
    ['"$1"', /did not return begin \(\/offset\): expected a non-negative integer \(digits only\), found "\d+"/],
  ] as const) {
    proxy.answerBy({
      path: '/v2/state/ledger-end',
      answer: ({ status, headers, body }, response) => {
        const { 'content-length': _, ...others } = headers
        response.writeHead(status, others).end(body.toString('utf8').replace(/(\d+)/, form))
      },
    })
    const recordFile = join(t.testdir({}), 'run.ndjson')
    await suiteRun(proxy.url, { recordFile, only: ['SAW-COMPLETION/*', 'SAW-COMMANDS/empty'] })
    const { rows, oracles } = await readRecord(recordFile)
    t.ok(rows.length > 0)
    for (const { verdict, reason } of rows) {
      t.equal(verdict, 'blocked', form)
      t.match(inWords(reason), cause)
    }
    t.match(oracles?.findings, [{ reason: { code: 'offset-unusable', operation: 'ledger-end' } }])
  }
})
