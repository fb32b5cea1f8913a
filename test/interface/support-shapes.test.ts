/** The documented answers of supporting operations suffice: rows run with exactly their members. */
import { join } from 'node:path'
import t from 'tap'
import { listSupportCommand } from '../../cli/commands/list/list-support-command.js'
import { operations } from '../../interface/operations.js'
import { supportShapes } from '../../interface/support-shapes.js'
import { readRecord } from '../../record/file/read-record.js'
import { startSimulator } from '../../simulator/simulator.js'
import { call, callRun } from '../support/processes/called-command.js'
import { minimalAnswers } from '../support/servers/minimal-answers.js'
import { resolvedSuite } from '../support/suites/whole-suite.js'

t.test('each operation that rows and fixtures call has a shape, and the command prints it', async (t) => {
  const { rows, fixtures } = resolvedSuite('canton-3.5')
  const shapes = new Set<string>(supportShapes().map(({ name }) => name))
  const called = new Set([...rows, ...fixtures].flatMap(({ steps }) => steps.map(({ operation }) => operation)))
  for (const name of called) t.ok(name in operations || shapes.has(name), name)
  const { stdout } = await call(() => listSupportCommand({ shapes: true }))
  for (const one of supportShapes()) t.ok(stdout.includes(`${one.call}\n  ${one.summary}\n`), one.call)
  t.match(stdout, '\n  answer   {"partyDetails":{"party":"alice::1220ab"}}\n')
  t.match(stdout, '\n  answer   any 2xx answer\n')
  const table = await call(() => listSupportCommand({ shapes: true, markdown: true }))
  t.match(table.stdout, '| any 2xx answer |\n')
  t.match(table.stdout, '| `{"partyDetails":{"party":"alice::1220ab"}}` |\n')
})

/** They read most members, create external parties and users, and change vetting. The nightly test runs all rows. */
const selected = [
  'SAW-CONSEQUENCES*',
  'SAW-TRACE*',
  'SAW-INTERFACE*',
  'SAW-COMPLETION*',
  'EWT-ANSWER*',
  'SAW-RIGHTS*',
  'VET-BOUNDS*',
]

t.test('rows run with the smallest answers', async (t) => {
  const secret = 'secret-of-the-simulator'
  const simulator = await startSimulator({ authorization: `hs256:${secret}` })
  t.teardown(() => simulator.close())
  const { url, unknown } = await minimalAnswers(t, simulator.url)
  const out = t.testdir()
  const { code, stdout } = await callRun(t, {
    target: url,
    out,
    authorization: `hs256:${secret}`,
    only: selected,
    allow: ['write', 'topology', 'upload'],
    'late-check': '0',
  })
  t.equal(code, 0, stdout)
  t.strictSame([...unknown], [], 'no other supporting operation is called')
  const { rows } = await readRecord(join(out, 'latest', 'run.ndjson.br'))
  t.ok(rows.filter(({ verdict }) => verdict === 'pass').length > 30)
  t.strictSame(
    rows.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable').map(({ id }) => id),
    [],
  )
})
