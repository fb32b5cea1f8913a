/** Participants without one operation: one cause blocks its rows, and other rows are judged. */
import { join } from 'node:path'
import t from 'tap'
import { operationNames, operations, supportOperations } from '../../interface/operations.js'
import { readRecord } from '../../record/file/read-record.js'
import type { RunRow } from '../../record/types/record.js'
import { startSimulator } from '../../simulator/simulator.js'
import { diagnoseTarget, shown } from '../support/ledgers/doctor-environment.js'
import { type CalledCommand, callRun } from '../support/processes/called-command.js'
import { recordingGateway } from '../support/servers/gateways.js'
import { readTarget } from '../support/suites/plain-target.js'
import { inWords } from '../support/words/in-words.js'

const simulator = await startSimulator({})
t.teardown(() => simulator.close())

const only = [
  ...['CBI-CONTENT/template', 'SAW-RESULT/*', 'SAW-COMMANDS/empty'],
  ...['EXE-ANSWER/response', 'EWT-ANSWER/transaction', 'VET-CHANGES/empty'],
]

async function runAgainst(t: Test, target: string): Promise<CalledCommand & { rows: Map<string, RunRow> }> {
  const out = t.testdir()
  const called = await callRun(t, { target, only, out, lateCheck: '0' })
  const { rows } = await readRecord(join(out, 'latest', 'run.ndjson.br'))
  return { ...called, rows: new Map(rows.map((row) => [row.id, row])) }
}

type Test = Parameters<typeof callRun>[0]

const called = ({ resolved }: RunRow): string[] => resolved.steps.map(({ operation }) => operation)

t.test('each operation that is absent alone', async (t) => {
  for (const name of operationNames)
    await t.test(name, async (t) => {
      const { path } = operations[name]
      const { url } = await recordingGateway(t, simulator.url, (request) => request.path === path, 404)
      const { code, rows, stdout } = await runAgainst(t, url)
      const cause = `POST ${path} is not implemented (404 without the member code)`
      t.equal(stdout.split(cause).length - 1, 1, 'the cause is the title of one group')
      const blocked = [...rows.values()].filter(({ verdict }) => verdict === 'blocked')
      t.ok(blocked.length > 0)
      t.strictSame([...new Set(blocked.map(({ reason }) => inWords(reason)))], [cause])
      t.strictSame(
        [...rows.values()].filter((row) => called(row).includes(name) && row.verdict !== 'blocked').map(({ id }) => id),
        [],
      )
      for (const [id, { verdict }] of rows) {
        if (verdict !== 'blocked') t.equal(verdict, 'pass', id)
      }
      t.ok(code === 1 || code === 5, `exit code ${code}`)
    })
})

t.test('rows that need no missing supporting operation run', async (t) => {
  const { version, 'participant-id': named, 'connected-synchronizers': connected, prepare } = supportOperations
  const missing: string[] = [version, named, connected, prepare].map(({ path }) => path)
  const { url } = await recordingGateway(t, simulator.url, ({ path }) => missing.includes(path), 404, '')
  const out = t.testdir()
  const ids = ['CBI-CONTENT/*', 'SAW-SYNCHRONIZER/*']
  const { stdout, stderr } = await callRun(t, { target: url, only: ids, out, lateCheck: '0' })
  const { rows, header } = await readRecord(join(out, 'latest', 'run.ndjson.br'))
  t.equal(header.target.version, undefined)
  const reasonOf = (id: string): string => inWords(rows.find((row) => row.id.startsWith(id))?.reason) || 'sent'
  t.equal(reasonOf('CBI-CONTENT'), 'sent', stdout + stderr)
  t.equal(
    reasonOf('SAW-SYNCHRONIZER/connected'),
    `GET ${connected.path} is not implemented (404 without the member code)`,
  )
  t.match(
    stderr,
    /! 2 selected rows need connected-synchronizers: GET \S+ is not implemented \(404 without the member code\)\. Set --synchronizer\./,
  )
})

t.test('a row that depends on the protocol version needs it from the target or the settings', async (t) => {
  const { url } = await recordingGateway(
    t,
    simulator.url,
    ({ path }) => path === supportOperations.prepare.path,
    404,
    '',
  )
  const reasons = async (more: Record<string, string>): Promise<unknown[]> => {
    const out = t.testdir()
    const flags = { target: url, only: ['SAW-KEY*'], unreachable: ['prepare'], out, lateCheck: '0' }
    await callRun(t, { ...flags, ...more })
    const { rows } = await readRecord(join(out, 'latest', 'run.ndjson.br'))
    return rows
      .filter(({ reason }) => inWords(reason).includes('protocol version'))
      .map(({ verdict, reason }) => [verdict, inWords(reason)])
  }
  const found = await reasons({})
  t.ok(found.length > 0)
  for (const one of found)
    t.strictSame(one, [
      'blocked',
      'the row depends on the protocol version, and the target prepares no transaction that shows it. Set --protocol-version',
    ])
  t.strictSame(await reasons({ protocolVersion: '35' }), [])
})

t.test('statuses that show a missing operation', async (t) => {
  const { path } = operations.execute
  const absent = async (status: number, text = '{}'): Promise<string> => {
    const { url } = await recordingGateway(t, simulator.url, (request) => request.path === path, status, text)
    return shown(await diagnoseTarget(readTarget(url, 'none')), 'operation-absent')
  }
  t.match(
    await absent(404),
    /^warning: the target lacks execute: POST \S+execute is not implemented \(404 without the member code\)/,
  )
  t.match(await absent(405), /\(405\)/)
  t.match(await absent(501), /\(501\)/)
  for (const status of [200, 400, 401, 403, 500, 503]) t.equal(await absent(status), '', `${status}`)
  t.equal(await absent(404, '{"code":"CONTRACT_NOT_FOUND"}'), '', 'the error format of a participant')
})

t.test('a run sends no request to an operation that the settings mark as unreachable', async (t) => {
  const { url, seen } = await recordingGateway(t, simulator.url)
  const out = t.testdir()
  const { code } = await callRun(t, { target: url, only: ['EXE-ANSWER/*'], unreachable: ['execute'], out })
  t.ok(code === 1 || code === 5, `exit code ${code}`)
  t.notOk(seen.some((request) => request.path === operations.execute.path))
  const { rows } = await readRecord(join(out, 'latest', 'run.ndjson.br'))
  t.strictSame(
    [...new Set(rows.map(({ verdict, reason }) => `${verdict}: ${inWords(reason)}`))],
    ['blocked: the settings mark execute as unreachable'],
  )
})
