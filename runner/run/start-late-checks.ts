import { LateChecks } from '../oracles/late-checks.js'
import { LedgerWatch } from '../oracles/ledger-watch.js'
import { anyMarker } from '../oracles/markers.js'
import { readersOf } from '../oracles/readers.js'
import type { ExaminedTarget } from '../preflight/examine-target.js'
import { lateCheckDelay, type RunOptions } from '../preflight/run-options.js'
import type { StartedSession } from '../preflight/start-session.js'
import { TargetError } from '../target/target.js'
import type { ProvisionedRun } from './provision-run.js'
import { expectsEffects } from './read-oracles.js'

/** Undefined if no row expects effects, or if the ledger is unreadable. */
export async function startLateChecks(
  options: RunOptions,
  { actorUsers, presigned }: ExaminedTarget,
  { suite: { actors, fixtures }, plan, fixtures: { variables } }: ProvisionedRun,
  { id, end, as }: StartedSession,
  notify: (sentence: string) => void,
): Promise<LateChecks | undefined> {
  if (!expectsEffects(plan)) return undefined
  const readers = readersOf({ actors, fixtures, variables, actorUsers }, as)
  const failed = (why: string): void => notify(`The run cannot detect late effects: ${why}`)
  if (readers.length === 0) {
    failed('no user may read as the parties of the run')
    return undefined
  }
  const marks = [...presigned.values()].flatMap(({ transactions }) => transactions.map(({ mark }) => mark))
  const watch = new LedgerWatch(options.target.url, readers, anyMarker(id, marks))
  try {
    await watch.begin()
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    failed(error.message)
    return undefined
  }
  return new LateChecks(watch, { after: lateCheckDelay(options), end, failed })
}
