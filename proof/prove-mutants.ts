/** Several mutants are proven on all cores: first by few rows each, and where that finds nothing by all of the operation. */
import { allMutants } from '../simulator/simulator.js'
import type { ProvenMutant } from './mutation-report.js'
import type { WorkerSetting } from './tasks.js'
import { onThreads } from './workers.js'

interface ProvingSeveral {
  setting: WorkerSetting
  threads: number
  /** Every row is performed against each of them. */
  all: boolean
}

/** Under way in a thread at once: most of the time each waits for what shows late. */
const atOnce = 8

/** Runs of a mutant whose fault is in some of its answers only: it can miss the few rows that cite the rule, as in one night of several. */
const mostRuns = 12

/**
 * What became of each, in the order in which they were given; `ended` hears of each. Some mutants only show where much is going
 * on at the participant: where few rows do not find one, it has a thread to itself. Rejects with `ProofFailed`.
 */
export async function proveMutants(
  names: readonly string[],
  { setting, threads, all }: ProvingSeveral,
  ended: (one: ProvenMutant) => void = () => undefined,
): Promise<ProvenMutant[]> {
  const isFinal = ({ outcome }: ProvenMutant): boolean => all || outcome === 'killed'
  const first = await onThreads(
    'mutant',
    names.map((name) => ({ name, rows: all ? 'all' : 'few' }) as const),
    { setting, threads, atOnce },
    (one) => isFinal(one) && ended(one),
  )
  const known = await allMutants()
  const isIntermittent = (name: string): boolean => known.some((one) => one.name === name && one.intermittent === true)
  const last = new Map(first.map((one) => [one.name, one]))
  for (let run = 2; run <= mostRuns; run += 1) {
    const unfound = [...last.values()].filter((one) => !isFinal(one) && (run === 2 || isIntermittent(one.name)))
    const found = await onThreads(
      'mutant',
      unfound.map(({ name }) => ({ name, rows: run === 2 ? 'near' : 'few' }) as const),
      { setting, threads, atOnce: 1 },
      (one) => (isFinal(one) || run === mostRuns || !isIntermittent(one.name)) && ended(one),
    )
    for (const one of found) last.set(one.name, { ...one, runs: run })
  }
  return [...last.values()]
}
