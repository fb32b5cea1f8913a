/** Routing as on the reference participant 3.5.10. */

import { cannotSubmitForAll, type LedgerError, unknownInformees, unknownSubmitters } from '../../base/errors.js'
import { type Contract, isStakeholder, stakeholders } from '../contracts/contract.js'
import type { Ledger } from '../state/ledger.js'
import { preferredFirst, type Route, type Synchronizer } from '../state/ledger-state.js'
import { contractChanges, type Interpretation } from '../transactions/transaction.js'
import {
  informeesElsewhere,
  noCommonSynchronizer,
  noSynchronizerForSubmission,
  notActiveTogether,
  notConnectedToAny,
  prescribedUnusable,
  readersWithoutStake,
  reassignmentFailed,
  vettingSynchronizerNotConnected,
  vettingSynchronizerOpen,
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

export interface Roles {
  /** Without external parties, which sign their submissions. */
  submitters: readonly string[]
  /** Parties that see the transaction. */
  informees: readonly string[]
}

/**
 * The synchronizers that host all roles, or the prescribed one (an id; empty: none). Throws `LedgerError` if none does.
 * Errors are in the order of the reference participant 3.5.10.
 */
export function synchronizersFor(ledger: Ledger, roles: Roles, prescribed: string): Synchronizer[] {
  refuseUnconnected(ledger)
  const target = prescribed === '' ? undefined : ledger.synchronizer(prescribed)
  if (prescribed !== '' && !target) {
    const reason = `cannot resolve to physical synchronizer; ensure the node is connected to ${prescribed}`
    throw prescribedUnusable(prescribed, reason)
  }
  const found = admissibleSynchronizers(ledger, roles)
  if (!target) return found
  refuseUnlessAmong(target, found, ledger)
  return [target]
}

function refuseUnconnected(ledger: Ledger): void {
  if (ledger.synchronizers.length === 0) throw notConnectedToAny()
}

/** Throws `LedgerError` unless `found` contains the target. */
function refuseUnlessAmong(target: Synchronizer, found: readonly Synchronizer[], ledger: Ledger): void {
  if (found.includes(target)) return
  const ids = found.map((item) => ledger.shownId(item))
  throw informeesElsewhere(ledger.shownId(target), ids)
}

/** Throws `LedgerError` if none does. */
function admissibleSynchronizers(ledger: Ledger, { submitters, informees }: Roles): Synchronizer[] {
  refuseUnknown(ledger, submitters, submittersUnknown)
  refuseUnknownInformees(ledger, informees)
  const withAll = (parties: readonly string[]): Synchronizer[] =>
    ledger.synchronizers.filter((item) => parties.every((party) => ledger.isHosted(party, item)))
  const involved = (): string[] =>
    ledger.synchronizers
      .filter((item) => [...submitters, ...informees].some((party) => ledger.isHosted(party, item)))
      .map((item) => ledger.shownId(item))
  const forSubmitters = withAll(submitters)
  if (forSubmitters.length === 0) throw notActiveTogether('submitters', submitters, involved())
  const forInformees = withAll(informees)
  if (forInformees.length === 0) throw notActiveTogether('informees', informees, involved())
  refuseExternalSubmitters(ledger, submitters)
  const common = forSubmitters.filter((item) => forInformees.includes(item))
  if (common.length === 0) throw noCommonSynchronizer(submitters, informees)
  return common
}

/** Throws `UNKNOWN_INFORMEES`. */
export const refuseUnknownInformees = (ledger: Ledger, informees: readonly string[]): void =>
  refuseUnknown(ledger, informees, informeesUnknown)

function refuseUnknown(ledger: Ledger, parties: readonly string[], refuse: (unknown: string[]) => LedgerError): void {
  const unknown = parties.filter((party) => !ledger.knowsParty(party))
  if (unknown.length > 0) throw refuse(unknown)
}

const submittersUnknown = (unknown: string[]): LedgerError =>
  unknownSubmitters(
    'service',
    'The participant is not connected to any synchronizer where the given submitters are known.',
    { context: { unknownSubmitters: `Set(${unknown.join(', ')})` } },
  )

const informeesUnknown = (unknown: string[]): LedgerError =>
  unknownInformees(
    'service',
    'The participant is not connected to any synchronizer where the given informees are known.',
    { context: { unknownInformees: `Set(${unknown.join(', ')})` } },
  )

function refuseExternalSubmitters(ledger: Ledger, submitters: readonly string[]): void {
  if (!submitters.some((party) => ledger.isExternal(party))) return
  const [first, ...more] = submitters
  if (first !== undefined && more.length === 0) {
    throw cannotSubmitForAll(
      'service',
      'This participant cannot submit as the given submitter on any connected synchronizer',
      { context: { unknownSubmitter: first } },
    )
  }
  throw cannotSubmitForAll(
    'service',
    'Not connected to a synchronizer on which this participant can submit for all submitters',
    { context: { unknownSubmitters: submitters.join(', ') } },
  )
}

/** An empty id means the only synchronizer. Throws `LedgerError`. */
export function synchronizerToVetOn(id: string, ledger: Ledger): Synchronizer {
  const found = ledger.synchronizer(id)
  if (found) return found
  throw id === '' ? vettingSynchronizerOpen(ledger.synchronizers) : vettingSynchronizerNotConnected(id)
}
