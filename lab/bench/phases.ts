/**
 * `npm run bench:phases -- [RUN...]`: the processor time of three runs by phase: whole (the suite on the embedded simulator), pairs (2,000 pairs
 * of `bench:peers`) and row (one row on the embedded simulator).
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pairsFor } from './peers/pairs.js'
import { timeProcess } from './peers/time-process.js'
import { conform, ownRun } from './peers/tools.js'
import { BundledSources, type Frame, innermostFirst, type Profile } from './profile.js'
import { startSimulator } from './server-process.js'

/** Folders whose functions, and what they call outside these folders, belong to a phase. */
const phases: Readonly<Record<string, readonly string[]>> = {
  'reading the suite': ['dist/runner/load', 'dist/runner/yaml', 'dist/runner/suite', 'node_modules/yaml'],
  'resolution and plan': ['dist/runner/resolve', 'dist/runner/plan'],
  'checks and fixtures': ['dist/runner/preflight', 'dist/runner/doctor', 'dist/runner/provision', 'dist/runner/run'],
  'making requests': ['dist/runner/template', 'dist/runner/sign', 'dist/runner/execute'],
  'sending and receiving': [
    'dist/runner/transport',
    'dist/runner/target',
    'node_modules/undici',
    'node:net',
    'node:_http',
  ],
  oracles: ['dist/runner/oracles', 'dist/runner/changes'],
  judging: ['dist/runner/judge'],
  'search for secrets': ['dist/lib/redaction', 'dist/lib/outgoing'],
  recording: ['dist/record', 'node:zlib'],
  reports: ['dist/reports', 'dist/cli/output'],
  'loading the program': ['node:internal/modules', 'dist/cli'],
}

const folder = mkdtempSync(join(tmpdir(), 'bench-phases-'))
const sources = new BundledSources()

function phaseOf(stack: readonly Frame[]): string {
  const [leaf] = stack
  if (leaf?.name === '(garbage collector)') return 'garbage collection'
  for (const frame of stack) {
    const source = sources.sourceOf(frame)
    const found = Object.entries(phases).find(([, folders]) => folders.some((one) => source.startsWith(one)))
    if (found) return found[0]
  }
  return 'other'
}

/** Milliseconds by phase. A thread other than the main one is the simulator. */
function timesOf(profiles: string): Map<string, number> {
  const times = new Map<string, number>()
  for (const file of readdirSync(profiles)) {
    const isMain = file.split('.').at(-3) === '0'
    const profile = JSON.parse(readFileSync(join(profiles, file), 'utf8')) as Profile // written by Node
    for (const { stack, milliseconds } of innermostFirst(profile)) {
      if (stack[0]?.name === '(idle)') continue
      const phase = isMain ? phaseOf(stack) : 'simulator'
      times.set(phase, (times.get(phase) ?? 0) + milliseconds)
    }
  }
  return times
}

/** The profile counts elapsed time of busy threads; on a busy machine, this is more than their processor time. */
async function measure(name: string, options: readonly string[]): Promise<void> {
  const profiles = join(folder, name)
  const profiled = ['--cpu-prof', '--cpu-prof-dir', profiles, conform, ...options]
  const { worked } = await timeProcess({ command: process.execPath, options: profiled }, folder)
  const times = [...timesOf(profiles)].toSorted(([, one], [, other]) => other - one)
  const total = times.reduce((sum, [, time]) => sum + time, 0)
  console.log(`\n${name}: ${(worked / 1000).toFixed(2)} s of processor time, with the profiler`)
  for (const [phase, time] of times)
    console.log(`  ${phase.padEnd(24)}${((100 * time) / total).toFixed(1).padStart(6)} %`)
}

async function measurePairs(): Promise<void> {
  const simulator = await startSimulator()
  try {
    const pairs = await pairsFor(simulator.url, 2000)
    await measure('pairs', ownRun({ url: simulator.url, pairs, folder }))
  } finally {
    await simulator.stop()
  }
}

const runs = {
  whole: () => measure('whole', ['run', '--out', join(folder, 'whole-results')]),
  pairs: measurePairs,
  row: () => measure('row', ['run', '--only', 'CBI-CONTENT/argument', '--out', join(folder, 'row-results')]),
}
const chosen = process.argv.slice(2)
for (const [name, run] of Object.entries(runs)) if (chosen.length === 0 || chosen.includes(name)) await run()
rmSync(folder, { recursive: true })
