/** `npm run lab -- prove` with a few mutants; `npm run prove` tests all of them. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { conformanceModel } from '../../cli/tool/conformance-model.js'
import { dropCommand } from '../../lab/drop-command.js'
import { performAt, rowsIn } from '../../lab/environment.js'
import { findOverrides } from '../../lab/find-overrides.js'
import { mutants } from '../../lab/mutants/catalogue.js'
import {
  killedOnlyBy,
  type MutationReport,
  mutationPage,
  type ProvenMutant,
  printMutationReport,
  requireOwnReport,
  summaryOf,
} from '../../lab/mutation-report.js'
import { proveCommand } from '../../lab/prove-command.js'
import { proveMutant } from '../../lab/prove-mutant.js'
import { sampleOf } from '../../lab/sample.js'
import { Snapshots, shuffled } from '../../lab/snapshots.js'
import { findVacuous } from '../../lab/vacuity/vacuous-expectations.js'
import { UsageError } from '../../lib/usage-error.js'
import type { RunRow } from '../../record/types/record.js'
import { mutationSentence, ruleMutationText } from '../../reports/summary/mutation-text.js'
import { proofOf, readMutationReport } from '../../runner/load/mutation-report.js'
import { variablesOf } from '../../runner/template/variables.js'
import { call } from '../support/processes/called-command.js'
import { suiteOf } from '../support/suites/whole-suite.js'
import { inWords } from '../support/words/in-words.js'

/** Cases that kill the mutants below, and cases with races, effects and vetting. */
const suite = suiteOf((id) =>
  /^(?:SAW-RESULT|SAW-DUPLICATE|SAW-OTHER-IDS|SAW-CREATE-AND-EXERCISE-MEMBERS|CBI-VISIBILITY|SAW-RACE-OF-ONE-CHANGE|VET-ANSWER|VET-ADDED)\//.test(
    id,
  ),
)
const snapshots = new Snapshots({ suite, model: conformanceModel })

/** A skipped check, an altered answer, another decision, and a fault of every third answer. */
const few = [
  'without-saw-workflow-id-ledger-string',
  'submitted-update-id-empty',
  'change-id-with-the-submission',
  'server-errors-submit-and-wait-every-third-time',
]

t.test('rows that cite the rule of a mutant kill it', async (t) => {
  const chosen = mutants.filter(({ name }) => few.includes(name))
  t.equal(chosen.length, few.length)
  const proven = await Promise.all(chosen.map((one) => proveMutant(one, snapshots, {})))
  for (const { name, outcome, killers, performed } of proven) {
    t.equal(outcome, 'killed', name)
    t.ok(performed > 0 && Object.keys(killers).length > 0, name)
  }
  const [one] = proven.filter(({ name }) => name === 'submitted-update-id-empty')
  const found = chosen.find(({ name }) => name === one?.name)
  const dropped = new Set(suite.cases.filter(({ operation }) => operation === 'submit-and-wait').map(({ id }) => id))
  const blind = found && (await proveMutant(found, snapshots, { dropped }))
  t.match(blind, { outcome: 'survived', killers: {} }, 'it survives without the cases of the operation')
})

t.test('the last reads kill a mutant whose fault no row shows', async (t) => {
  const [dead] = mutants.filter(({ name }) => name === 'updates-dead')
  const found = dead && (await proveMutant(dead, snapshots, {}))
  t.match(found, { outcome: 'killed', killers: {}, finding: { kind: 'unproven', oracle: 'updates' } })
  const page = found && mutationPage({ ...report, mutants: [found] })
  t.match(page, '| updates-dead | submit-and-wait | last reads: updates unproven |')
})

t.test('a repeated run has the same rows in another order', async (t) => {
  const { environment } = await snapshots.of({})
  const orderBy = (seed: string): string[] => rowsIn(shuffled(environment, seed)).map(({ id }) => id)
  const given = rowsIn(environment).map(({ id }) => id)
  t.strictSame(orderBy('2'), orderBy('2'), 'the seed determines the order')
  t.notSame(orderBy('2'), given)
  t.notSame(orderBy('2'), orderBy('3'))
  t.strictSame(orderBy('2').toSorted(), given.toSorted())
})

t.test('finds expectations that cannot fail', async (t) => {
  const { environment, start } = await snapshots.of()
  const simulator = await start()
  const rows: RunRow[] = []
  await performAt(
    environment,
    simulator.url,
    ({ id }) => /^(?:SAW-RESULT|SAW-DUPLICATE|CBI-VISIBILITY|SAW-RACE-OF-ONE-CHANGE)\//.test(id),
    (row) => {
      rows.push(row)
    },
  )
  await simulator.close()
  t.ok(rows.length > 10 && rows.every(({ verdict }) => verdict === 'pass'), `${rows.length} rows pass`)
  const variablesFor = (row: RunRow) =>
    new Map([...environment.provisioned.fixtures.variables, ...variablesOf(row.variables)])
  for (const row of rows) {
    const { tried, vacuous } = findVacuous(row, variablesFor(row))
    t.ok(tried > 0)
    t.strictSame(vacuous, [], row.id)
  }
  const [first] = rows
  const [step, ...others] = first?.resolved.steps ?? []
  const [expectation] = step?.expectations ?? []
  if (!first || !step || !expectation) throw new Error('the first row has no expectation')
  const vacuous = { ...expectation, anyOf: [{ checks: [] }] }
  const vacuousRow = {
    ...first,
    resolved: { ...first.resolved, steps: [{ ...step, expectations: [vacuous] }, ...others] },
  }
  t.match(findVacuous(vacuousRow, variablesFor(first)).vacuous, [{ row: first.id, step: step.name, expectation: 0 }])
})

t.test('a participant that follows the text passes', async (t) => {
  const { environment, start } = await snapshots.of({ behaviour: 'interface' })
  const simulator = await start(
    findOverrides({ variants: ['vetted-packages-with-few-members', 'slow-answers', 'others-move-the-end'] }),
  )
  const verdicts: string[] = []
  await performAt(
    environment,
    simulator.url,
    ({ id }) => /^(?:VET-ANSWER\/participant|VET-ADDED\/by-all-three|SAW-RESULT\/.*|CBI-VISIBILITY\/.*)$/.test(id),
    ({ id, verdict, reason }) => {
      verdicts.push(verdict)
      if (verdict !== 'pass') t.fail(`${id}: ${verdict}: ${inWords(reason)}`)
    },
  )
  await simulator.close()
  t.strictSame([...new Set(verdicts)], ['pass'])
})

const proven = (name: string, outcome: ProvenMutant['outcome'], killers: Record<string, number>): ProvenMutant => ({
  name,
  outcome,
  killers,
  rule: `R-${name}`,
  operation: 'contract-by-id',
  performed: 3,
  others: ['X/1'],
  unjudged: 0,
})

const report: MutationReport = {
  suite: { version: '1', digest: 'abc' },
  all: false,
  mutants: [
    proven('one', 'killed', { 'CASE-A': 1 }),
    proven('two', 'killed', { 'CASE-A': 1, 'CASE-B': 2 }),
    proven('three', 'survived', {}),
    proven('four', 'killed-by-others', {}),
  ],
}

t.test('summarizes, prints and reads a report', async (t) => {
  t.match(summaryOf(report), { mutants: 4, killed: 2, killedByOthers: 1, survived: 1, othersInTheMedian: 1 })
  t.strictSame(
    killedOnlyBy(report, 'CASE-A').map(({ name }) => name),
    ['one'],
  )
  t.strictSame(killedOnlyBy(report, 'CASE-B'), [])
  const page = mutationPage(report)
  t.match(page, '| Survived | 1 |')
  t.match(page, '| two | contract-by-id | 3 rows in CASE-A, CASE-B |')
  t.match(page, '| three | contract-by-id | **survived** |')
  const folder = await mkdtemp(join(tmpdir(), 'report-'))
  t.equal(await readMutationReport(folder), undefined)
  await t.rejects(requireOwnReport(folder), {
    name: 'UsageError',
    message: /no mutation report: run npm run prove/,
  })
  await writeFile(join(folder, 'mutation-report.json'), printMutationReport(report))
  t.strictSame(await readMutationReport(folder), report)
  await writeFile(join(folder, 'mutation-report.json'), '{}')
  await t.rejects(readMutationReport(folder), UsageError)
  await writeFile(join(folder, 'mutation-report.json'), '{')
  await t.rejects(readMutationReport(folder), { message: /not a mutation report. Write a new one with npm run prove/ })
})

t.test('a sample is reproducible and covers the whole list', async (t) => {
  const names = sampleOf(mutants, 40).map(({ name }) => name)
  t.equal(new Set(names).size, 40)
  t.strictSame(
    sampleOf(mutants.toReversed(), 40).map(({ name }) => name),
    names,
  )
  const places = names.map((one) => mutants.findIndex(({ name }) => name === one))
  t.ok(Math.min(...places) < mutants.length / 4 && Math.max(...places) > (mutants.length * 3) / 4)
  t.equal(sampleOf(mutants, 9999).length, mutants.length)
})

t.test('a report cites the mutation report of its suite', (t) => {
  const proof = proofOf(report)
  const header = { proof, suite: { version: '1', digest: 'abc' } }
  t.equal(mutationSentence(header), 'Mutation test of the suite: it detects 2 of 4 seeded faults in 4 rules.')
  t.match(mutationSentence({ ...header, suite: { version: '1', digest: 'def' } }), / The suite has changed since/)
  t.equal(ruleMutationText('R-one', header), '1 of 1 seeded fault detected')
  t.equal(ruleMutationText('R-three', header), 'no seeded fault of this rule is detected')
  t.equal(ruleMutationText('toString', header), 'no seeded fault of this rule is detected')
  t.equal(ruleMutationText('R-one', {}), undefined)
  t.end()
})

t.test('prove runs the named mutants', async (t) => {
  const { code, stdout } = await call(() => proveCommand({ only: 'looked-up-package-name-empty' }))
  t.equal(code, 0)
  t.match(stdout, /^killed looked-up-package-name-empty \[EVT-PACKAGE-NAME\]/m)
  const none = await call(() => proveCommand({ only: 'no-such-mutant' }))
  t.match(none, { code: 2, stderr: /no mutant, rule or operation matches no-such-mutant/ })
  const misspelt = await call(() => dropCommand('NO-CASE'))
  t.match(misspelt, { code: 2, stderr: /the suite has no case NO-CASE/ })
})
