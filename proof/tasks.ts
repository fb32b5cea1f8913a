/** What a thread is asked to do, and what it answers. */
import type { ModelPackage } from '../runner/provision/model-packages.js'
import type { CleanRun } from './clean-run.js'
import type { ProvenMutant } from './mutation-report.js'
import type { GuardedRows } from './vacuity/check-rows.js'

export interface WorkerSetting {
  suiteFolder: string
  model: readonly ModelPackage[]
  /** Cases that count for nothing. */
  dropped: readonly string[]
}

/** By its kind, what is asked and what is answered. */
export interface Tasks {
  mutant: { asked: { name: string; rows: 'few' | 'near' | 'all' }; told: ProvenMutant }
  vacuity: { asked: { profile: string; part: number; of: number }; told: GuardedRows }
  clean: { asked: { seed: string }; told: CleanRun }
}

export type TaskKind = keyof Tasks
