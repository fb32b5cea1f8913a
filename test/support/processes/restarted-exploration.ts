/** Explores a simulator process that restarts after the given count of request sequences. */
import { explore } from '../../../explore/explore.js'
import type { Exploration } from '../../../record/types/exploration.js'
import { EarlyEnd } from '../../../runner/transport/early-end.js'
import { explorationOf } from '../records/explored.js'
import { type RestartedSimulator, restartable } from './restarted-simulator.js'

export interface RestartedExploration {
  explored: Exploration
  end: EarlyEnd
  restarts: number
}

export interface Restarts {
  seed: string
  signal: NodeJS.Signals
  /** Without it, the simulator returns empty. */
  file?: string
  period: number
  sequences: number
  concurrency?: number
  most?: number
}

/** The exploration continues during restarts. Rejects as an exploration does. */
export async function exploreWithRestarts(wanted: Restarts): Promise<RestartedExploration> {
  const { signal, file, period, most = Infinity, ...limits } = wanted
  const simulator: RestartedSimulator = await restartable(file)
  const end = new EarlyEnd()
  let restarts = 0
  let restarting: Promise<void> = Promise.resolve()
  try {
    const explored = await explore({
      ...explorationOf(simulator.url, limits),
      end,
      report: (event) => {
        if (event.kind !== 'sequence' || Math.floor(event.done / period) <= restarts || restarts >= most) return
        restarts += 1
        restarting = restarting.then(() => simulator.restart(signal))
      },
    })
    return { explored, end, restarts }
  } finally {
    await restarting
    await simulator.stop()
  }
}
