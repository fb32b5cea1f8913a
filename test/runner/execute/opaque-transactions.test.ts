/** Presigned transactions in an encoding that only the participant knows. */
import { join } from 'node:path'
import t from 'tap'
import { readRun } from '../../../cli/output/read-run.js'
import { bodyOf, withBody } from '../../../lab/interceptors/bodies.js'
import { executing, isOneOf } from '../../../lab/interceptors/names.js'
import type { Interceptor } from '../../../simulator/participant/participant.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { conform } from '../../support/processes/conform-process.js'
import { presignTransactions } from '../../support/servers/presign-transactions.js'

/** Stands for any encoding that the program cannot read. */
const reversed = (base64: unknown): string => Buffer.from(String(base64), 'base64').reverse().toString('base64')

const ownEncoding: Interceptor =
  ({ handle }) =>
  (request) => {
    const body = isOneOf(request, executing) ? bodyOf(request) : undefined
    const { preparedTransaction } = body ?? {}
    return handle(
      body && preparedTransaction !== undefined
        ? withBody(request, { ...body, preparedTransaction: reversed(preparedTransaction) })
        : request,
    )
  }

t.test('rows that do not alter the bytes run with an unknown encoding', async (t) => {
  const simulator = await startSimulator({ overrides: { interceptor: ownEncoding } })
  t.teardown(() => simulator.close())
  const marks = Array.from({ length: 6 }, (_, index) => `given-${index + 1000}`)
  const { transactions, ...party } = await presignTransactions(simulator.url, marks)
  const opaque = transactions.map(({ preparedTransaction, ...rest }, index) => ({
    preparedTransaction: reversed(preparedTransaction),
    ...rest,
    mark: marks[index],
  }))
  const settings = { target: simulator.url, unreachable: ['prepare'], presigned: [{ ...party, transactions: opaque }] }
  const folder = t.testdir({ 'target.yaml': JSON.stringify(settings) })
  const out = join(folder, 'results')
  const only = ['E*-SIGNED/ed25519', 'E*-BROKEN-SIGNATURE/last-bit', 'E*-ALTERED/argument']
  const flags = ['--only', ...only, '--profile', 'interface', '--protocol-version', '35', '--out', out]
  const { code, stdout } = await conform('run', '--config', join(folder, 'target.yaml'), ...flags)
  t.equal(code, 0, stdout)
  const { rows } = await readRun(out)
  const verdicts = new Map(rows.map(({ id, verdict }) => [id, verdict]))
  for (const operation of ['EXE', 'EWT']) {
    t.equal(verdicts.get(`${operation}-SIGNED/ed25519`), 'pass')
    t.equal(verdicts.get(`${operation}-BROKEN-SIGNATURE/last-bit`), 'pass')
    t.match(
      rows.find(({ id }) => id === `${operation}-ALTERED/argument`),
      {
        verdict: 'not-applicable',
        reason: { code: 'prepared-encoding-unknown' },
      },
    )
  }
})
