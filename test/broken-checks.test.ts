/** The suite is judged by breaking the simulator: leaving out the check of a rule must fail rows of that rule, and no others. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { conformanceModel } from '../cli/conformance-model.js'
import type { RunRow } from '../record/record.js'
import { loadSuite } from '../runner/load/load-suite.js'
import { rulesOfRow } from '../runner/plan/select.js'
import { resolveSuite } from '../runner/resolve/resolve-suite.js'
import { run } from '../runner/run.js'
import type { Suite } from '../runner/suite/suite.js'
import { enforcedRules } from '../simulator/base/checks.js'
import { type SimulatorOptions, startSimulator } from '../simulator/simulator.js'
import { readTarget } from './plain-target.js'

/** The checks of the simulator for rules of these operations, as it says itself: one that is added is broken here as well. */
const checksOf = (...prefixes: string[]): string[] =>
  enforcedRules().filter((rule) => prefixes.some((prefix) => rule.startsWith(prefix)))

/** Checks that only some participants make: there they are left out. */
const enforcedWith: Readonly<Record<string, readonly Circumstances[]>> = {
  'VET-CHANGES-REQUIRED': [{ behaviour: 'interface' }],
  'VET-CHANGES-NOT-EMPTY': [{ behaviour: 'interface' }],
  'VET-SYNCHRONIZER-AMBIGUOUS': [{ synchronizers: 2 }],
  'VET-DEPENDENCIES': [{ protocolVersion: 34 }, { behaviour: 'interface' }],
}

/** Cases that wait, or send a lot: they cost seconds and cite none of these rules alone. */
const slow = /^SAW-(?:MIN-TIME-.*|WINDOW-OVER|REMEMBERED|LARGE|RACE-.*)$/

/** The suite without them, and without looking around refused rows: what is accepted in their place fails by that alone. */
async function quickSuite(): Promise<Suite> {
  const suite = await loadSuite(fileURLToPath(new URL('../../suites/', import.meta.url)))
  const cases = suite.cases.filter(({ id }) => !slow.test(id)).map(({ afterwards: _, ...rest }) => rest)
  return { ...suite, cases }
}

const suite = await quickSuite()

/** One stranger in so many is asked whether it minds; another one for each rule, so that in all many are. */
const oneIn = 20

const profile = [...suite.profiles.values()].find(({ name }) => name === 'canton-3.5')
if (!profile) throw new Error('the suite has no profile canton-3.5')
const resolved = resolveSuite(suite, profile).rows

const citing = (rule: string): Set<string> =>
  new Set(resolved.filter((row) => rulesOfRow(row).includes(rule)).map(({ id }) => id))

/** The rows of one operation that cite the rule, and some of those that do not. */
function rowsAround(rule: string, operation: string, suite: Suite): Suite {
  const asked = (id: string): boolean =>
    createHash('sha256').update(`${rule} ${id}`).digest().readUInt16BE() % oneIn === 0
  const cited = citing(rule)
  const cases = suite.cases.flatMap((one) => {
    if (one.operation !== operation) return []
    const rows = one.rows.filter(({ id }) => cited.has(`${one.id}/${id}`) || asked(`${one.id}/${id}`))
    return rows.length > 0 ? [{ ...one, rows }] : []
  })
  return { ...suite, cases }
}

type Circumstances = Pick<SimulatorOptions, 'behaviour' | 'protocolVersion' | 'synchronizers'>

async function rowsWithout(
  rule: string,
  suite: Suite,
  folder: string,
  participant: Circumstances = {},
): Promise<RunRow[]> {
  const simulator = await startSimulator({ ...participant, without: [rule] })
  const name = participant.behaviour ?? 'canton-3.5'
  const profile = suite.profiles.get(name)
  if (!profile) throw new Error(`the suite has no profile ${name}`)
  const rows: RunRow[] = []
  const options = {
    suite,
    profile,
    target: readTarget(simulator.url, 'none'),
    embedded: true,
    recordFile: join(folder, `${rule}.ndjson`),
    tool: { name: 'test', version: '0' },
    concurrency: 8,
    timeLimit: 30_000,
    model: conformanceModel,
  }
  try {
    await run(options, { planned: () => undefined, row: (row) => void rows.push(row) })
  } finally {
    await simulator.close()
  }
  return rows
}

function noticed(t: Test, rule: string, rows: readonly RunRow[]): void {
  t.ok(
    rows.some(({ verdict }) => verdict === 'fail'),
    `${rule}: noticed`,
  )
  const strangers = rows.filter(
    ({ verdict, resolved }) => !['pass', 'not-applicable'].includes(verdict) && !rulesOfRow(resolved).includes(rule),
  )
  t.strictSame(
    strangers.map(({ id }) => id),
    [],
    `${rule}: nothing else fails`,
  )
}

t.test('leaving out one check fails rows that cite its rule, and only those', async (t) => {
  const folder = t.testdir()
  for (const rule of checksOf('CBI-', 'SAW-')) {
    const operation = rule.startsWith('CBI-') ? 'contract-by-id' : 'submit-and-wait'
    noticed(t, rule, await rowsWithout(rule, rowsAround(rule, operation, suite), folder))
  }
})

t.test('the same holds for the checks of package vetting', async (t) => {
  const folder = t.testdir()
  for (const rule of checksOf('VET-')) {
    const rows = rowsAround(rule, 'update-package-vetting', suite)
    for (const circumstances of enforcedWith[rule] ?? [{}]) {
      noticed(t, rule, await rowsWithout(rule, rows, folder, circumstances))
    }
  }
})

t.test('with every check in place none of these rows fails', async (t) => {
  const operations = ['contract-by-id', 'submit-and-wait', 'update-package-vetting']
  const cases = operations.flatMap((operation) => rowsAround('NO-SUCH-RULE', operation, suite).cases)
  const rows = await rowsWithout('NO-SUCH-RULE', { ...suite, cases }, t.testdir())
  t.strictSame([...new Set(rows.map(({ verdict }) => verdict))].sort(), ['not-applicable', 'pass'])
})
