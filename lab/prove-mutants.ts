/** Each mutant meets a few rows, then survivors meet all rows of the operation. */
import { mutants } from './mutants/catalogue.js'
import type { ProvenMutant } from './mutation-report.js'
import { runTasks, type Threads } from './workers.js'

interface ProveManyOptions {
  threads: Threads
  /** Run all rows against each mutant. */
  all?: boolean
}

/** Concurrent mutants in one thread: most of the time they wait for late effects. */
const atOnce = 8

/** Runs against an intermittent mutant, which only some answers reveal. As in real runs, each has another order of the rows. */
const mostRuns = 12

/**
 * In the order of the names. Some mutants show only under load, so survivors of the first round have a thread each.
 * Rejects with `TaskFailed`.
 */
export async function proveMutants(
  names: readonly string[],
  { threads, all = false }: ProveManyOptions,
  onEnd: (one: ProvenMutant) => void = () => undefined,
): Promise<ProvenMutant[]> {
  const isFinal = ({ outcome }: ProvenMutant): boolean => all || outcome === 'killed'
  const first = await runTasks(
    'mutant',
    names.map((name) => ({ name, rows: all ? 'all' : 'few' }) as const),
    { ...threads, atOnce },
    (one) => isFinal(one) && onEnd(one),
  )
  const isIntermittent = (name: string): boolean =>
    mutants.some((one) => one.name === name && one.intermittent === true)
  const last = new Map(first.map((one) => [one.name, one]))
  for (let run = 2; run <= mostRuns; run += 1) {
    const survivors = [...last.values()].filter((one) => !isFinal(one) && (run === 2 || isIntermittent(one.name)))
    const found = await runTasks(
      'mutant',
      survivors.map(({ name }) => ({ name, rows: run === 2 ? 'near' : 'few', seed: String(run) }) as const),
      threads,
      (one) => (isFinal(one) || run === mostRuns || !isIntermittent(one.name)) && onEnd(one),
    )
    for (const one of found) last.set(one.name, { ...one, runs: run })
  }
  return [...last.values()]
}
