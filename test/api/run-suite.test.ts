/** `runSuite` with a scope: its rows, and the operations of its conclusion. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { runSuite, type SuiteOperation, type SuiteResult } from '../../api/index.js'
import { operationNames } from '../../interface/operations.js'

const scope: readonly SuiteOperation[] = ['contract-by-id']

t.test('operations limit the run, and its conclusion is about them alone', async (t) => {
  const { conforming, conclusion, rows, unexaminedRules } = await runSuite({ operations: scope })
  t.equal(conforming, true, conclusion)
  t.match(conclusion, /^PASS \(contract-by-id\): /)
  t.strictSame([...new Set(rows.map(({ operation }) => operation))], scope)
  t.strictSame(
    unexaminedRules.filter((rule) => /^(?:SAW|EXE|VET)-/.test(rule)),
    [],
    'rules of other operations are outside the scope',
  )
})

t.test('operations of a target file count, and those of the call have precedence', async (t) => {
  const targetFile = join(t.testdir({}), 'target.yaml')
  await writeFile(targetFile, 'operations: [update-package-vetting]\n')
  const only = '*-BODY/number'
  const operationsOf = ({ rows }: SuiteResult): string[] => [...new Set(rows.map(({ operation }) => operation))]
  t.strictSame(operationsOf(await runSuite({ targetFile, only })), ['update-package-vetting'])
  t.strictSame(operationsOf(await runSuite({ targetFile, operations: scope, only })), scope)
})

t.test('an unknown operation is rejected before the run', async (t) => {
  const message = `operations[0]: expected ${operationNames.join(' or ')}, not 'look-up'`
  // As a JavaScript program can pass it.
  const options: object = { operations: ['look-up'] }
  await t.rejects(runSuite(options), { code: 'INVALID_OPTION', message })
})
