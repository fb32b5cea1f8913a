/**
 * Reads without a positive control support no verdict, alone and together with a fault that only they show:
 * `node dist/test/endurance/faulty-oracles.js [updates-dead ...]`
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRun } from '../../cli/output/read-run.js'
import { combineInterceptors } from '../../lab/interceptors/interceptors.js'
import { faults } from '../../lab/mutants/cheating.js'
import { faultyReadMutants } from '../../lab/mutants/faulty-reads.js'
import type { Interceptor } from '../../simulator/participant/participant.js'
import { startSimulator } from '../../simulator/simulator.js'
import { conform } from '../support/processes/conform-process.js'
import { inWords } from '../support/words/in-words.js'

const only = [
  'SAW-COMMANDS/*',
  'SAW-TYPES/*',
  'SAW-COMPLETION/*',
  'EXE-MEMBERS/*',
  'EXE-ANSWER/*',
  'VET-DRY-RUN/*',
  'VET-KEPT/*',
  'VET-LASTING/*',
]
const chosen = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'oracles-'))
const passes = new Map<string, number>()
let wrong = 0

async function attempt(fault: string, oracle: string, interceptor: Interceptor): Promise<void> {
  const simulator = await startSimulator({ overrides: { interceptor } })
  const out = await mkdtemp(join(folder, 'results-'))
  const options = [
    '--only',
    ...only,
    '--late-check',
    '1',
    '--seed',
    'same',
    '--concurrency',
    '8',
    '--allow',
    'write',
    'topology',
    'upload',
  ]
  const { code, stderr } = await conform('run', '--target', simulator.url, ...options, '--out', out)
  await simulator.close()
  const { rows, oracles } = await readRun(out)
  await rm(out, { recursive: true })
  const count = (verdict: string): number => rows.filter((row) => row.verdict === verdict).length
  const passed = count('pass')
  const [first] = oracles?.findings ?? []
  const isConforming = fault === '' && oracle === ''
  const isRight = isConforming ? code === 0 : (code === 1 || code === 5) && passed <= (passes.get(fault) ?? passed)
  if (oracle === '') passes.set(fault, passed)
  if (!isRight) wrong += 1
  const found = first ? `; ${first.kind}: ${inWords(first.reason)}` : `; ${stderr.trim().slice(-200)}`
  console.log(
    `${isRight ? ' ' : '!'} ${oracle || 'no oracle'}, ${fault || 'no fault'}: exit ${code}, ${passed} passed, ${count('fail')} failed, ${count('blocked')} blocked${found.slice(0, 220)}`,
  )
}

try {
  const every: [string, Interceptor[]][] = [
    ['', []],
    ...Object.entries(faults).map(([name, faulty]): [string, Interceptor[]] => [name, [faulty]]),
  ]
  for (const [fault, faulty] of every) await attempt(fault, '', combineInterceptors(faulty))
  for (const { name, interceptor } of faultyReadMutants)
    if (interceptor && (chosen.length === 0 ? !name.endsWith('-with-a-fault') : chosen.includes(name)))
      for (const [fault, faulty] of every) await attempt(fault, name, combineInterceptors([...faulty, interceptor]))
} finally {
  await rm(folder, { recursive: true })
}
console.log(`${wrong} unmet expectations`)
process.exitCode = wrong > 0 ? 1 : 0
