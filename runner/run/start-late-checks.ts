import { LateChecks } from '../oracles/late-checks.js'
import { LedgerWatch, type Reader } from '../oracles/ledger-watch.js'
import type { ExaminedTarget } from '../preflight/examine-target.js'
import { lateCheckDelay, type RunOptions } from '../preflight/run-options.js'
import type { StartedSession } from '../preflight/start-session.js'
import { userFor } from '../provision/actors.js'
import { TargetError } from '../target/target.js'
import { markersOf } from './markers.js'
import type { ProvisionedRun } from './provision-run.js'

/** Undefined if no row expects effects, or if the ledger is unreadable. */
export async function startLateChecks(
  options: RunOptions,
  { actorUsers, presigned }: ExaminedTarget,
  { suite: { actors, fixtures }, plan, fixtures: { variables } }: ProvisionedRun,
  { id, end, as }: StartedSession,
  notify: (sentence: string) => void,
): Promise<LateChecks | undefined> {
  const steps = [...plan.rows, ...plan.alone].flatMap(({ row }) => row.steps)
  if (!steps.some(({ expectations }) => expectations.some(({ kind }) => kind === 'effects'))) return undefined
  const readable = new Map<string, string[]>()
  for (const { name, party } of fixtures) {
    const known = variables.get(name)
    const user = userFor(name, actors, actorUsers)
    if (!party || typeof known !== 'string' || user === undefined) continue
    readable.set(user, [...(readable.get(user) ?? []), known])
  }
  const readers = [...readable].map(([user, parties]): Reader => ({ call: as(user), parties }))
  const failed = (why: string): void => notify(`The run cannot detect late effects: ${why}`)
  if (readers.length === 0) {
    failed('no user may read as the parties of the run')
    return undefined
  }
  const marks = [...presigned.values()].flatMap(({ transactions }) => transactions.map(({ mark }) => mark))
  const watch = new LedgerWatch(options.target.url, readers, anyOf(markersOf(id), marks))
  try {
    await watch.begin()
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    failed(error.message)
    return undefined
  }
  return new LateChecks(watch, { after: lateCheckDelay(options), end, failed })
}

const anyOf = (usual: RegExp, marks: readonly string[]): RegExp =>
  new RegExp([usual.source, ...marks.map((mark) => mark.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))].join('|'))
