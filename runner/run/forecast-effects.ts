/** What a run would make and change, told before anything is: by the same decisions that the run itself takes. */
import type { Effects } from '../../record/types/effects.js'
import { requestCount, vettingRows } from '../plan/cost.js'
import { expectedSeconds } from '../plan/expected-duration.js'
import { mayCommit } from '../plan/outcomes.js'
import type { Plan } from '../plan/plan.js'
import type { ExaminedTarget } from '../preflight/examine-target.js'
import type { RunOptions } from '../preflight/run-options.js'
import { grantsIn, usersIn } from '../provision/actors.js'
import { partiesToMake, partyHint } from '../provision/parties.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import { allocationFor, needsModel } from './provision-run.js'

/** What is foreseen of a plan. What only shows once there are parties can make it less. */
export interface EffectsForecast {
  effects: Effects
  requests: number
  /** Rounded up, by what the target took to answer until now. */
  seconds: number
}

/** `run`: what stands for the id of the run in names of parties. */
export function forecastEffects(
  options: RunOptions,
  target: ExaminedTarget,
  suite: ResolvedSuite,
  plan: Plan,
  { run, latency }: { run: string; latency: number | undefined },
): EffectsForecast {
  const { actorUsers, model, presigned } = target
  const allocation = allocationFor(options, target, plan, run)
  const made = partiesToMake(suite.fixtures, allocation)
  const parties = new Set([...made.map(({ name }) => name), ...allocation.named.keys(), ...presigned.keys()])
  const isMaker = typeof actorUsers.provisioner !== 'string'
  const { repeat = 1 } = options
  const requests = requestCount(plan) * repeat
  const transactions = plan.transactions * repeat
  return {
    effects: {
      parties: made.flatMap(({ party }) => (party ? [partyHint(party.hint, run)] : [])),
      users: isMaker ? usersIn(suite.actors, actorUsers.byActor) : [],
      rights: isMaker ? grantsIn(actorUsers.byActor, parties) : [],
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
