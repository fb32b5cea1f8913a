/** Forecasts the changes and the cost of a run. */
import type { Effects } from '../../record/types/effects.js'
import { requestCount, vettingRows } from '../plan/cost.js'
import { expectedSeconds } from '../plan/expected-duration.js'
import { mayCommit } from '../plan/outcomes.js'
import type { Plan } from '../plan/plan.js'
import type { ExaminedTarget } from '../preflight/examine-target.js'
import type { RunOptions } from '../preflight/run-options.js'
import { createdUsersIn, grantsIn } from '../provision/actors.js'
import { partiesToAllocate, partyHint } from '../provision/parties.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import { allocationFor, needsModel } from './provision-run.js'

/** An upper bound: later facts can skip rows. */
export interface EffectsForecast {
  effects: Effects
  requests: number
  /** Rounded up. */
  seconds: number
}

/** `run`: the run id, or its placeholder. */
export function forecastEffects(
  options: RunOptions,
  target: ExaminedTarget,
  suite: ResolvedSuite,
  plan: Plan,
  { run, latency }: { run: string; latency: number | undefined },
): EffectsForecast {
  const { actorUsers, model, presigned } = target
  const allocation = allocationFor(options, target, plan, run)
  const allocated = partiesToAllocate(suite.fixtures, allocation)
  const parties = new Set([...allocated.map(({ name }) => name), ...allocation.named.keys(), ...presigned.keys()])
  const canProvision = typeof actorUsers.provisioner !== 'string'
  const { repeat = 1 } = options
  const requests = requestCount(plan) * repeat
  const transactions = plan.transactions * repeat
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
    seconds: expectedSeconds(requests, transactions, options.concurrency, latency),
  }
}
