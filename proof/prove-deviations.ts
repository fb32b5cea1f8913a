/** Several deviations are proven on all cores: first by few rows each, and where that finds nothing by all of the operation. */
import type { ProvenDeviation } from './matrix.js'
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

/**
 * What became of each, in the order in which they were given; `ended` hears of each. Some deviations only show where much is going
 * on at the participant: where few rows do not find one, it has a thread to itself. Rejects with `ProofFailed`.
 */
export async function proveDeviations(
  names: readonly string[],
  { setting, threads, all }: ProvingSeveral,
  ended: (one: ProvenDeviation) => void = () => undefined,
): Promise<ProvenDeviation[]> {
  const isFinal = ({ outcome }: ProvenDeviation): boolean => all || outcome === 'killed'
  const first = await onThreads(
    'deviation',
    names.map((name) => ({ name, rows: all ? 'all' : 'few' }) as const),
    { setting, threads, atOnce },
    (one) => isFinal(one) && ended(one),
  )
  const unfound = first.filter((one) => !isFinal(one))
  const second = await onThreads(
    'deviation',
    unfound.map(({ name }) => ({ name, rows: 'near' }) as const),
    { setting, threads, atOnce: 1 },
    ended,
  )
  const again = new Map(second.map((one) => [one.name, one]))
  return first.map((one) => again.get(one.name) ?? one)
}
