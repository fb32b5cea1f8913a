/** From decoded commands to a committed transaction: interpretation, routing, then its flight - in that order. */
import {
  cannotSubmitForAll,
  type LedgerError,
  noSynchronizerForSubmission,
  unknownInformees,
  unknownSubmitters,
} from '../errors.js'
import type { LedgerCommand } from './command.js'
import type { Contract } from './contract.js'
import type { DeduplicationPeriod } from './deduplication.js'
import { interpret } from './interpreter.js'
import type { Ledger } from './ledger.js'
import { freshSeeding } from './seeding.js'
import { type Flight, takeUp } from './take-up.js'
import type { Interpretation, Submission, Transaction } from './transaction.js'

export interface CommandSubmission extends Submission {
  commands: LedgerCommand[]
  disclosed: Contract[]
  deduplication?: DeduplicationPeriod
  /** Lower bound of the ledger time, in microseconds; the caller has waited for it. */
  minLedgerTime?: bigint
  traceId: string
}

/** Commits the submission once it has been in flight, or rejects with `LedgerError`; a refused submission changes nothing. */
export async function submit(ledger: Ledger, submission: CommandSubmission): Promise<Transaction> {
  const flight = launch(ledger, submission)
  await ledger.clock.transit()
  return flight.land()
}

/** Interprets the submission and takes it up, or throws `LedgerError`. */
export function launch(ledger: Ledger, submission: CommandSubmission): Flight {
  const { commands, disclosed, deduplication, minLedgerTime, traceId, ...identity } = submission
  const now = ledger.clock.now()
  const effectiveAt = minLedgerTime !== undefined && minLedgerTime > now ? minLedgerTime : now
  const interpretation = interpret(
    commands,
    { actAs: identity.actAs, readAs: identity.readAs, disclosed: new Set(disclosed.map(({ id }) => id)) },
    viewWith(ledger, disclosed),
    effectiveAt,
    freshSeeding(ledger.entropy, now),
  )
  route(ledger, identity.actAs, interpretation)
  refuseUnvetted(ledger, interpretation)
  return takeUp(ledger, { identity, interpretation, deduplication, effectiveAt, traceId })
}

/** The ledger, with the disclosed contracts as if they were active: whether they are is only seen at the end. */
export function viewWith(ledger: Ledger, disclosed: readonly Contract[]) {
  const byId = new Map(disclosed.map((contract) => [contract.id, contract]))
  return {
    packages: ledger.packages,
    protocolVersion: ledger.protocolVersion,
    contract: (id: string) => ledger.contract(id) ?? byId.get(id),
    contractsByKey: ledger.contractsByKey.bind(ledger),
  }
}

function route(ledger: Ledger, actAs: readonly string[], interpretation: Interpretation): void {
  const strangers = actAs.filter((party) => !ledger.knowsParty(party))
  if (strangers.length > 0) {
    const cause = 'The participant is not connected to any synchronizer where the given submitters are known.'
    if (actAs.length > 1) throw unknownSubmitters('routing', cause)
    throw unknownSubmitters('service', cause, { context: { unknownSubmitters: `Set(${strangers.join(', ')})` } })
  }
  refuseExternalSubmitters(ledger, actAs)
  refuseUnknownInformees(ledger, interpretation)
}

/** Throws when somebody who has to know of the transaction is nobody here. */
export function refuseUnknownInformees(ledger: Ledger, { informees }: Interpretation): void {
  const unknown = informees.filter((party) => !ledger.knowsParty(party))
  if (unknown.length > 0) throw informeesUnknown(unknown)
}

export function informeesUnknown(unknown: readonly string[]): LedgerError {
  return unknownInformees(
    'service',
    'The participant is not connected to any synchronizer where the given informees are known.',
    { context: { unknownInformees: `Set(${unknown.join(', ')})` } },
  )
}

/** A participant can submit on its own only for parties that it hosts with its own key. */
function refuseExternalSubmitters(ledger: Ledger, actAs: readonly string[]): void {
  const external = actAs.filter((party) => ledger.isExternal(party))
  if (external.length === 0) return
  if (actAs.length > 1) {
    throw cannotSubmitForAll(
      'routing',
      'Not connected to a synchronizer on which this participant can submit for all submitters',
    )
  }
  throw cannotSubmitForAll(
    'service',
    'This participant cannot submit as the given submitter on any connected synchronizer',
    { context: { unknownSubmitter: external.join(', ') } },
  )
}

/** Throws when a package that the transaction uses is not vetted. */
export function refuseUnvetted(ledger: Ledger, { nodes }: Interpretation): void {
  const missing = nodes.find(({ contract }) => !ledger.isVetted(contract.template.packageId))
  if (!missing) return
  throw noSynchronizerForSubmission(
    'service',
    'No valid synchronizer for submission found: some packages are not vetted',
    { context: { unknownPackages: missing.contract.template.packageId } },
  )
}
