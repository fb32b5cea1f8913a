/** Which synchronizer an interpreted transaction goes to, as the reference participant 3.5.10 decides it. */

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

export interface RoutingRequest {
  /** Parties for which this participant has to submit; parties that sign themselves are none. */
  submitters: readonly string[]
  /** Parties in whose name contracts may be moved. */
  readers: readonly string[]
  /** Id of the synchronizer that is asked for; empty: none is. */
  prescribed: string
}

/** A contract that a transaction uses, and where it lives. */
interface Input {
  contract: Contract
  home: Synchronizer
}

/**
 * The synchronizer for the transaction: the one that is asked for, else the one where its contracts live, else any with all
 * its parties and packages. Where the contracts live apart, or elsewhere, they are to be moved. Throws `LedgerError`.
 */
export function route(ledger: Ledger, request: RoutingRequest, interpretation: Interpretation): Route {
  refuseUnconnected(ledger)
  const { submitters, prescribed } = request
  const asked = prescribed === '' ? undefined : ledger.synchronizer(prescribed)
  if (prescribed !== '' && !asked) {
    throw prescribedUnusable(prescribed, `cannot resolve ${prescribed} to a physical synchronizer id`)
  }
  const found = admissibleSynchronizers(ledger, { submitters, informees: interpretation.informees })
  const inputs = inputsOf(ledger, interpretation)
  if (needsMoves(ledger, inputs, interpretation, asked)) return moving(ledger, request, interpretation, found, asked)
  const only = asked ?? inputs[0]?.home
  if (only) refuseUnusable(ledger, only, found, interpretation)
  return { synchronizer: only ?? firstOf(preferredFirst(usable(ledger, found, interpretation))), reassigned: [] }
}

/** The synchronizer to which the fewest contracts have to be moved. Throws `LedgerError` where it is none of them. */
export function leastMoves(
  ledger: Ledger,
  readers: readonly string[],
  interpretation: Interpretation,
  candidates: readonly Synchronizer[],
): Route {
  const inputs = inputsOf(ledger, interpretation)
  const tried = preferredFirst(candidates).map((synchronizer) => ({
    synchronizer,
    ...movesTo(synchronizer, ledger, readers, inputs),
  }))
  const possible = tried.filter(({ problem }) => problem === undefined)
  const [best] = possible.toSorted((a, b) => a.reassigned.length - b.reassigned.length)
  if (best) return { synchronizer: best.synchronizer, reassigned: best.reassigned }
  throw noSynchronizerForSubmission(tried.map(({ problem = '' }) => problem))
}

/** Contracts that are disclosed but not active here have no home. */
function inputsOf(ledger: Ledger, { nodes }: Interpretation): Input[] {
  const { created } = contractChanges(nodes)
  const used = new Map(nodes.map(({ contract }) => [contract.id, contract]))
  return [...used.values()].flatMap((contract) => {
    const home = created.has(contract.id) ? undefined : ledger.homeOf(contract.id)
    return home ? [{ contract, home }] : []
  })
}

function needsMoves(
  ledger: Ledger,
  inputs: readonly Input[],
  { informees }: Interpretation,
  asked: Synchronizer | undefined,
): boolean {
  const homes = new Set(inputs.map(({ home }) => home))
  if (homes.size > 1) return true
  return [...homes].some(
    (home) => (asked && asked !== home) || informees.some((party) => !ledger.isHosted(party, home)),
  )
}

function moving(
  ledger: Ledger,
  { readers }: RoutingRequest,
  interpretation: Interpretation,
  found: readonly Synchronizer[],
  asked: Synchronizer | undefined,
): Route {
  const inputs = inputsOf(ledger, interpretation)
  const foreign = inputs.filter(({ contract }) => !isStakeholder(contract, readers))
  if (foreign.length > 0) throw readersWithoutStake(foreign.map(({ contract }) => contract.id))
  if (!asked) return leastMoves(ledger, readers, interpretation, usable(ledger, found, interpretation))
  refuseUnusable(ledger, asked, found, interpretation)
  const { reassigned, problem } = movesTo(asked, ledger, readers, inputs)
  if (problem !== undefined) throw reassignmentFailed(problem)
  return { synchronizer: asked, reassigned }
}

/** Contracts that would have to move there, and why one of them cannot: it needs a reader with a stake, and all its stakeholders there. */
function movesTo(
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

/** Those of the synchronizers on which everything that the transaction uses is vetted. Throws `LedgerError` where that is none. */
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
  // A contract may be of a version that is not vetted any more, as long as it is used as one that is.
  const used = nodes.map((node) => (node.kind === 'create' ? node.contract.template : node.template))
  const ids = new Set(used.map(({ packageId }) => packageId))
  const missing = [...ids].filter((id) => !ledger.isVetted(id, synchronizer))
  if (missing.length === 0) return undefined
  return `Some packages are not known to all informees on synchronizer ${ledger.shownId(synchronizer)}: ${missing.join(', ')}`
}

function firstOf([first]: readonly Synchronizer[]): Synchronizer {
  if (!first) throw new Error('a list of usable synchronizers is never empty')
  return first
}
