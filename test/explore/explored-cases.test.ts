/** Each case fails on its mutant and passes on the simulator. */
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { parse } from 'yaml'
import { conformanceModel } from '../../cli/tool/conformance-model.js'
import { findOverrides } from '../../lab/find-overrides.js'
import type { RunRow } from '../../record/types/record.js'
import { loadSuite } from '../../runner/load/load-suite.js'
import { run } from '../../runner/run/run.js'
import type { Suite } from '../../runner/suite/suite.js'
import { startSimulator } from '../../simulator/simulator.js'
import { alone, explored } from '../support/records/explored.js'
import { readTarget } from '../support/suites/plain-target.js'
import { inWords } from '../support/words/in-words.js'

/** Altered answers, wrong errors, wrong effects, and vetting. */
const ten: readonly string[] = [
  'looked-up-template-id-of-another',
  'looked-up-contract-id-left-out',
  'submitted-completion-offset-left-out',
  'submitted-completion-offset-zero',
  'vetted-past-vetted-packages-left-out',
  'lookup-querying-parties-demanded',
  'dry-runs-applied',
  'executed-effective-at-a-second-later',
  'without-cbi-stakeholder-intersection',
  'without-vet-serial-guard',
]
/** Explorations of the operation alone find them in their first sequences. */
const two: Readonly<Record<string, string>> = {
  'without-cbi-stakeholder-intersection': 'contract-by-id',
  'without-vet-serial-guard': 'update-package-vetting',
}
/** EXPLORED_CASES=whole tests all ten, in half a minute. */
const mutants = process.env['EXPLORED_CASES'] === 'whole' ? ten : Object.keys(two)

const source = fileURLToPath(new URL('../../../suites/', import.meta.url))

/** Without a mutant: the simulator. */
async function rowsOn(mutant: string | undefined, suite: Suite, only: string, folder: string): Promise<RunRow[]> {
  const simulator = await startSimulator(mutant === undefined ? {} : { overrides: findOverrides({ mutant }) })
  const profile = suite.profiles.get('canton-3.5')
  if (!profile) throw new Error('the suite has no profile canton-3.5')
  const rows: RunRow[] = []
  try {
    await run(
      {
        suite,
        profile,
        target: readTarget(simulator.url, 'none'),
        embedded: true,
        only,
        ...{
          recordFile: join(folder, `${only}-${mutant ?? 'simulator'}.ndjson`),
          tool: { name: 'test', version: '0' },
        },
        concurrency: 8,
        timeLimit: 30_000,
        lateDelay: 0,
        model: conformanceModel,
      },
      { planned: () => undefined, row: (row) => void rows.push(row) },
    )
  } finally {
    await simulator.close()
  }
  return rows
}

/** Findings that must name the rule. */
const rulings: Readonly<Record<string, object>> = {
  'without-cbi-stakeholder-intersection': { kind: 'breaks-rule', rules: ['CBI-STAKEHOLDER-INTERSECTION'] },
}
const nothing = { yaml: undefined, steps: [], ruling: undefined }

t.test('the case of a finding fails on its mutant and passes on the simulator', async (t) => {
  const folder = t.testdir()
  const suites = join(folder, 'suites')
  await cp(source, suites, { recursive: true })
  for (const [index, mutant] of mutants.entries()) {
    const only = two[mutant]
    const { findings } = await explored(
      { overrides: findOverrides({ mutant }) },
      { seed: 'b', sequences: 80, ...(only !== undefined && { only }), ...alone },
    )
    const [{ yaml, steps, ruling } = nothing] = findings
    t.ok(yaml, `${mutant}: found`)
    t.ok(steps.length <= 4, `${mutant}: ${steps.length} requests`)
    if (rulings[mutant]) t.match(ruling, rulings[mutant])
    if (yaml === undefined) continue
    const named = yaml.replace('FOUND-F1', `FOUND-${index}`)
    const { operation } = parse(named) as { operation: string } // written by `caseYaml`
    await writeFile(join(suites, 'cases', operation, `found-${index}.yaml`), named)
  }
  const suite = await loadSuite(suites)
  const onSimulator = await rowsOn(undefined, suite, 'FOUND-', folder)
  t.strictSame(
    onSimulator.filter(({ verdict }) => verdict !== 'pass').map(({ id, reason }) => `${id}: ${inWords(reason)}`),
    [],
  )
  t.equal(onSimulator.length, mutants.length)
  for (const [index, mutant] of mutants.entries()) {
    const [row] = await rowsOn(mutant, suite, `FOUND-${index}/*`, folder)
    t.equal(row?.verdict, 'fail', `${mutant}: ${inWords(row?.reason)}`)
  }
})
