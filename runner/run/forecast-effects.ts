import type { Effects } from '../../record/types/effects.js'
import { expectedSeconds, mayCommit, requestCount, vettingRows } from '../plan/cost.js'
import type { Plan } from '../plan/plan.js'
import type { ExaminedTarget } from '../preflight/examine-target.js'
import { lateCheckDelay, type RunOptions } from '../preflight/run-options.js'
import { createdUsersIn, grantsIn } from '../provision/actors.js'
import { partiesToAllocate, partyHint } from '../provision/parties.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import type { MedianTimes } from '../transport/exchange-log.js'
import { allocationFor, needsModel } from './provision-run.js'
import { repeatsControl } from './read-oracles.js'

/** An upper bound: later facts can skip rows. */
export interface EffectsForecast {
  effects: Effects
  requests: number
  duration: ExpectedDuration
}

export interface ExpectedDuration {
  seconds: number
  /** No commit was measured: the estimate assumes the commit time of the reference. */
  assumesCommits?: true
}

/** From the response times so far. */
export function expectedDuration(options: RunOptions, plan: Plan, times: MedianTimes): ExpectedDuration {
  const pace = { concurrency: options.concurrency, times, lateDelay: lateCheckDelay(options) }
  const seconds = Math.ceil(expectedSeconds(plan, pace) * (options.repeat ?? 1))
  return { seconds, ...(times.commit === undefined && plan.transactions > 0 && { assumesCommits: true }) }
}

/** `run`: the id or its placeholder. */
export function forecastEffects(
  options: RunOptions,
  target: ExaminedTarget,
  suite: ResolvedSuite,
  plan: Plan,
  { run, times }: { run: string; times: MedianTimes },
): EffectsForecast {
  const { actorUsers, model, presigned } = target
  const allocation = allocationFor(options, target, plan, run)
  const allocated = partiesToAllocate(suite.fixtures, allocation)
  const parties = new Set([...allocated.map(({ name }) => name), ...allocation.named.keys(), ...presigned.keys()])
  const canProvision = 'user' in actorUsers.provisioner
  const { repeat = 1 } = options
  const requests = requestCount(plan) * repeat
  // With the control after the last row.
  const transactions = plan.transactions * repeat + (repeatsControl(options, target, plan) ? 1 : 0)
  return {
    effects: {
      parties: allocated.flatMap(({ party }) => (party ? [partyHint(party.hint, run)] : [])),
      users: canProvision ? createdUsersIn(suite.actors, actorUsers.byActor) : [],
      rights: canProvision ? grantsIn(actorUsers.byActor, parties) : [],
      contracts: plan.fixtures
        .filter(({ controls, steps }) => !controls && steps.some(mayCommit))
        .map(({ name }) => name),
      packages: model.capability === true && needsModel(plan) ? model.missing.map(({ title }) => title) : [],
      vetting: vettingRows(plan).toSorted(),
      transactions,
    },
    requests,
    duration: expectedDuration(options, plan, times),
  }
}
