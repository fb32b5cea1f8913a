/** Errors are in the order of the reference participant 3.5.10. */
import { cannotSubmitForAll, type LedgerError, unknownInformees, unknownSubmitters } from '../../base/errors.js'
import type { Ledger } from '../state/ledger.js'
import type { Synchronizer } from '../state/synchronizer.js'
import {
  informeesElsewhere,
  noCommonSynchronizer,
  notActiveTogether,
  notConnectedToAny,
  prescribedUnusable,
} from './synchronizer-errors.js'

export interface Roles {
  /** Without external parties, which sign their submissions. */
  submitters: readonly string[]
  /** Parties that see the transaction. */
  informees: readonly string[]
}

/** The synchronizers that host all roles, or the prescribed one (an id; empty: none). Throws `LedgerError` if none does. */
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

export function refuseUnconnected(ledger: Ledger): void {
  if (ledger.synchronizers.length === 0) throw notConnectedToAny()
}

/** Throws `LedgerError` unless `found` contains the target. */
export function refuseUnlessAmong(target: Synchronizer, found: readonly Synchronizer[], ledger: Ledger): void {
  if (found.includes(target)) return
  const ids = found.map((item) => ledger.shownId(item))
  throw informeesElsewhere(ledger.shownId(target), ids)
}

/** Throws `LedgerError` if none does. */
export function admissibleSynchronizers(ledger: Ledger, { submitters, informees }: Roles): Synchronizer[] {
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
