/**
 * Reads without a positive control support no verdict, alone and together with a fault that only they show. None gives more
 * passes than the fault alone, and a dead one none more than an absent one:
 * `node dist/test/endurance/faulty-oracles.js [updates-dead ...]`
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRun } from '../../cli/output/read-run.js'
import { combineInterceptors, replaceAnswers } from '../../lab/interceptors/interceptors.js'
import { faults } from '../../lab/mutants/cheating.js'
import { faultyReadMutants } from '../../lab/mutants/faulty-reads.js'
import type { Interceptor, KnownOperation } from '../../simulator/participant/participant.js'
import { startSimulator } from '../../simulator/simulator.js'
import { conform } from '../support/processes/conform-process.js'
import { inWords } from '../support/words/in-words.js'

/** Rows with rejections, and enough accepted requests that each read has something to hide. */
const only = [
  'SAW-COMMANDS/*',
  'SAW-TIME-FORM/*',
  'SAW-OPTIONAL-FIELDS/*',
  'SAW-INTEGER-FORM/*',
  'SAW-EXERCISE-MEMBERS/*',
  'SAW-TYPES/*',
  'SAW-COMPLETION/*',
  'EXE-MEMBERS/*',
  'EXE-ANSWER/*',
  'VET-DRY/*',
  'VET-KEPT/*',
  'VET-LASTING/*',
  'VET-BOUNDS-KEPT/*',
  'VET-APPLIED-BOUNDS/*',
  'VET-BOUNDED-USE/*',
]
/** By the first words of a faulty read. */
const operations: readonly [string, KnownOperation][] = [
  ['updates', 'updates'],
  ['ledger-end', 'ledger-end'],
  ['completions', 'completions'],
  ['active-contracts', 'active-contracts'],
  ['vetted-packages', 'list-vetted-packages'],
]

const without = (operation: KnownOperation): Interceptor =>
  replaceAnswers([operation], () => ({ status: 404, contentType: 'text/plain', text: 'not found' }))

const chosen = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'oracles-'))
let wrong = 0

interface Attempt {
  fault: string
  read: string
  interceptor: Interceptor
  /** A participant without a fault, which may lack an operation, conforms. */
  conforms?: boolean
  /** Passes that the participant must not exceed. */
  most?: number
}

/** Number of passes. */
async function attempt({ fault, read, interceptor, conforms = false, most = Infinity }: Attempt): Promise<number> {
  const simulator = await startSimulator({ overrides: { interceptor } })
  const out = await mkdtemp(join(folder, 'results-'))
  const options = [
    '--only',
    ...only,
    '--late-check',
    '1',
    '--seed',
    'same',
    // Rows side by side would see other transactions in each run.
    '--concurrency',
    '1',
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
  const isRight = (code === 1 || code === 5 || (conforms && code === 0)) && passed <= most
  if (!isRight) wrong += 1
  const found = first ? `; ${first.kind}: ${inWords(first.reason)}` : `; ${stderr.trim().slice(-200)}`
  console.log(
    `${isRight ? ' ' : '!'} ${read}, ${fault}: exit ${code}, ${passed} passed${most === Infinity ? '' : ` (at most ${most})`}, ${count('fail')} failed, ${count('blocked')} blocked${found.slice(0, 220)}`,
  )
  return passed
}

try {
  const every: [string, Interceptor[]][] = [
    ['no fault', []],
    ...Object.entries(faults).map(([name, faulty]): [string, Interceptor[]] => [name, [faulty]]),
  ]
  const alone = new Map<string, number>()
  for (const [fault, faulty] of every) {
    const conforms = faulty.length === 0
    alone.set(
      fault,
      await attempt({ fault, read: 'no faulty read', interceptor: combineInterceptors(faulty), conforms }),
    )
  }
  for (const [word, operation] of operations) {
    const reads = faultyReadMutants.filter(
      ({ name }) =>
        name.startsWith(word) && (chosen.length === 0 ? !name.endsWith('-with-a-fault') : chosen.includes(name)),
    )
    for (const [fault, faulty] of reads.length > 0 ? every : []) {
      const conforms = faulty.length === 0
      const lacking = combineInterceptors([...faulty, without(operation)])
      const absent = await attempt({ fault, read: `no ${word}`, interceptor: lacking, conforms })
      for (const { name, interceptor } of reads) {
        if (!interceptor) continue
        const counts = [alone.get(fault) ?? 0, ...(name.endsWith('-dead') ? [absent] : [])]
        const most = Math.min(...counts)
        await attempt({ fault, read: name, interceptor: combineInterceptors([...faulty, interceptor]), most })
      }
    }
  }
} finally {
  await rm(folder, { recursive: true })
}
console.log(`${wrong} unmet expectations`)
process.exitCode = wrong > 0 ? 1 : 0
