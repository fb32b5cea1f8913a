/** Routing as on the reference participant 3.5.10. */

import { type Contract, isStakeholder, stakeholders } from '../contracts/contract.js'
import type { Ledger } from '../state/ledger.js'
import { preferredFirst, type Route, type Synchronizer } from '../state/synchronizer.js'
import { contractChanges, type Interpretation } from '../transactions/transaction.js'
import { admissibleSynchronizers, refuseUnconnected, refuseUnlessAmong } from './admissible-synchronizers.js'
import {
  noSynchronizerForSubmission,
  prescribedUnusable,
  readersWithoutStake,
  reassignmentFailed,
} from './synchronizer-errors.js'

interface RoutingRequest {
  /** Without external parties, which sign their submissions. */
  submitters: readonly string[]
  /** Parties on whose behalf contracts can be reassigned. */
  readers: readonly string[]
  /** A synchronizer id; empty: none. */
  prescribed: string
}

interface Input {
  contract: Contract
  home: Synchronizer
}

/** The prescribed synchronizer, else the home of the used contracts, else any with all parties and packages. Throws `LedgerError`. */
export function route(ledger: Ledger, request: RoutingRequest, interpretation: Interpretation): Route {
  refuseUnconnected(ledger)
  const { submitters, prescribed } = request
  const target = prescribed === '' ? undefined : ledger.synchronizer(prescribed)
  if (prescribed !== '' && !target) {
    throw prescribedUnusable(prescribed, `cannot resolve ${prescribed} to a physical synchronizer id`)
  }
  const found = admissibleSynchronizers(ledger, { submitters, informees: interpretation.informees })
  const inputs = inputsOf(ledger, interpretation)
  const only = target ?? inputs[0]?.home
  if (!only || needsReassignment(ledger, inputs, interpretation, target)) {
    return routeWithReassignments(ledger, request, interpretation, found, target)
  }
  refuseUnusable(ledger, only, found, interpretation)
  return { synchronizer: only, reassigned: [] }
}

/** Throws `LedgerError` if none is possible. */
export function fewestReassignments(
  ledger: Ledger,
  readers: readonly string[],
  interpretation: Interpretation,
  candidates: readonly Synchronizer[],
): Route {
  const inputs = inputsOf(ledger, interpretation)
  const tried = preferredFirst(candidates).map((synchronizer) => ({
    synchronizer,
    ...reassignmentsTo(synchronizer, ledger, readers, inputs),
  }))
  const possible = tried.filter(({ problem }) => problem === undefined)
  const [best] = possible.toSorted((a, b) => a.reassigned.length - b.reassigned.length)
  if (best) return { synchronizer: best.synchronizer, reassigned: best.reassigned }
  throw noSynchronizerForSubmission(tried.map(({ problem = '' }) => problem))
}

/** Disclosed contracts that are not active here have no home. */
function inputsOf(ledger: Ledger, { nodes }: Interpretation): Input[] {
  const { created } = contractChanges(nodes)
  const used = new Map(nodes.map(({ contract }) => [contract.id, contract]))
  return [...used.values()].flatMap((contract) => {
    const home = created.has(contract.id) ? undefined : ledger.homeOf(contract.id)
    return home ? [{ contract, home }] : []
  })
}

function needsReassignment(
  ledger: Ledger,
  inputs: readonly Input[],
  { informees }: Interpretation,
  target: Synchronizer | undefined,
): boolean {
  const homes = new Set(inputs.map(({ home }) => home))
  if (homes.size > 1) return true
  return [...homes].some(
    (home) => (target && target !== home) || informees.some((party) => !ledger.isHosted(party, home)),
  )
}

function routeWithReassignments(
  ledger: Ledger,
  { readers }: RoutingRequest,
  interpretation: Interpretation,
  found: readonly Synchronizer[],
  target: Synchronizer | undefined,
): Route {
  const inputs = inputsOf(ledger, interpretation)
  const foreign = inputs.filter(({ contract }) => !isStakeholder(contract, readers))
  if (foreign.length > 0) throw readersWithoutStake(foreign.map(({ contract }) => contract.id))
  if (!target) return fewestReassignments(ledger, readers, interpretation, usable(ledger, found, interpretation))
  refuseUnusable(ledger, target, found, interpretation)
  const { reassigned, problem } = reassignmentsTo(target, ledger, readers, inputs)
  if (problem !== undefined) throw reassignmentFailed(problem)
  return { synchronizer: target, reassigned }
}

/** A reassignment needs a stakeholder among the readers, and all stakeholders on the target. */
function reassignmentsTo(
  target: Synchronizer,
  ledger: Ledger,
  readers: readonly string[],
  inputs: readonly Input[],
): { reassigned: string[]; problem: string | undefined } {
  const moved = inputs.filter(({ home }) => home !== target)
  const stuck = moved.find(
    ({ contract }) =>
      !isStakeholder(contract, readers) || stakeholders(contract).some((party) => !ledger.isHosted(party, target)),
  )
  const sides = stuck && `from ${ledger.shownId(stuck.home)} to ${ledger.shownId(target)}`
  const problem = stuck && `Cannot reassign contract ${stuck.contract.id} ${sides}`
  return { reassigned: moved.map(({ contract }) => contract.id), problem }
}

/** Where all used packages are vetted. Throws `LedgerError` if none remains. */
function usable(ledger: Ledger, found: readonly Synchronizer[], interpretation: Interpretation): Synchronizer[] {
  const problems = new Map(found.map((item) => [item, unvetted(ledger, item, interpretation)]))
  const fit = found.filter((item) => problems.get(item) === undefined)
  if (fit.length === 0) throw noSynchronizerForSubmission([...problems.values()].filter((text) => text !== undefined))
  return fit
}

function refuseUnusable(
  ledger: Ledger,
  synchronizer: Synchronizer,
  found: readonly Synchronizer[],
  interpretation: Interpretation,
): void {
  refuseUnlessAmong(synchronizer, found, ledger)
  const problem = unvetted(ledger, synchronizer, interpretation)
  if (problem !== undefined) throw prescribedUnusable(synchronizer.id, problem)
}

function unvetted(ledger: Ledger, synchronizer: Synchronizer, { nodes }: Interpretation): string | undefined {
  // The version that created a contract need not be vetted.
  const used = nodes.map((node) => (node.kind === 'create' ? node.contract.template : node.template))
  const ids = new Set(used.map(({ packageId }) => packageId))
  const missing = [...ids].filter((id) => !ledger.isVetted(id, synchronizer))
  if (missing.length === 0) return undefined
  return `Some packages are not known to all informees on synchronizer ${ledger.shownId(synchronizer)}: ${missing.join(', ')}`
}
