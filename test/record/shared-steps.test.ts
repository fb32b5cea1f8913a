/** A failed shared step (prepare, fixture, read) blocks its rows, and no rule fails. */
import t from 'tap'
import { supportOperations } from '../../interface/operations.js'
import { findOverrides } from '../../lab/find-overrides.js'
import { unmetRules } from '../../record/judgements/rule-verdicts.js'
import type { RunRow } from '../../record/types/record.js'
import { startSimulator } from '../../simulator/simulator.js'
import { judgedBy, judgedTwice } from '../support/records/judged-by.js'
import { brokenGateway } from '../support/servers/gateways.js'

const simulator = await startSimulator({ behaviour: 'interface' })
t.teardown(() => simulator.close())

const executions = ['EWT-ANSWER/transaction', 'EXE-PLAIN/only', 'EXE-BROKEN-SIGNATURE/empty']
const submissions = ['SAW-KINDS/create', 'SAW-COMMANDS/empty']
const vettings = ['VET-OPTIONAL-FIELDS/left-out', 'VET-OPTIONAL-FIELDS/no-flags', 'VET-METHOD/post']
const readings = ['SAW-RESULT/update-id', 'SAW-REPORTED/workflow-id', 'SAW-TOGETHER/only']

const verdictsOf = (rows: readonly RunRow[], ids: readonly string[]): string[] => [
  ...new Set(rows.filter(({ id }) => ids.includes(id)).map(({ verdict }) => verdict)),
]

for (const { name, path, dependent } of [
  { name: 'preparing', path: supportOperations.prepare.path, dependent: executions },
  { name: 'a fixture', path: supportOperations['list-vetted-packages'].path, dependent: vettings },
  { name: 'reading a transaction', path: supportOperations['update-by-id'].path, dependent: readings },
])
  t.test(`${name} fails: rows that depend on it are blocked, and no rule fails`, async (t) => {
    const url = await brokenGateway(t, simulator.url, path, 500)
    const ids = new Set([...dependent, ...submissions])
    const { byText, byFacts } = await judgedTwice(url, { ids })
    for (const [profile, rows] of Object.entries({ byText, byFacts })) {
      t.equal(rows.length, ids.size, 'each row exists')
      t.strictSame(verdictsOf(rows, dependent), ['blocked'], profile)
      t.strictSame(verdictsOf(rows, submissions), ['pass'], profile)
      t.strictSame(rows.flatMap(unmetRules), [], profile)
    }
  })

t.test('rows of execution are not judged by the text if the participant declines prepare', async (t) => {
  const url = await brokenGateway(t, simulator.url, supportOperations.prepare.path, 400)
  const rows = await judgedBy(url, { profile: 'interface', ids: new Set([...executions, ...submissions]) })
  t.strictSame([verdictsOf(rows, executions), verdictsOf(rows, submissions)], [['not-applicable'], ['pass']])
})

t.test('a fault of every execution fails only its own rule', async (t) => {
  const mutant = 'waiting-execution-min-ledger-time-demanded'
  const demanding = await startSimulator({ behaviour: 'interface', overrides: findOverrides({ mutant }) })
  t.teardown(() => demanding.close())
  const rows = await judgedBy(demanding.url, { profile: 'interface', only: 'EWT-*' })
  t.strictSame([...new Set(rows.flatMap(unmetRules))], ['EXE-MIN-LEDGER-TIME-OPTIONAL'])
})
