/** Errors of routing, as observed on the reference participant 3.5.10. */
import { LedgerError } from '../../base/errors.js'
import { shortened } from '../../base/strings.js'
import type { Disclosed } from '../contracts/contract.js'
import type { Synchronizer } from '../state/ledger-state.js'

const systemState = (code: string, cause: string, context: Record<string, string> = {}): LedgerError =>
  new LedgerError({ origin: 'service', code, category: 9, cause, context })

const set = (items: readonly string[]): string => `Set(${items.join(', ')})`

export const notConnectedToAny = (): LedgerError =>
  systemState('NOT_CONNECTED_TO_ANY_SYNCHRONIZER', 'This participant is not connected to any synchronizer.')

export const notConnectedTo = (synchronizer: string): LedgerError =>
  systemState('NOT_CONNECTED_TO_SYNCHRONIZER', `This participant is not connected to synchronizer ${synchronizer}.`, {
    synchronizer,
  })

const prescribedInvalid = (cause: string, context: Record<string, string>): LedgerError =>
  systemState('INVALID_PRESCRIBED_SYNCHRONIZER_ID', cause, context)

export function prescribedUnusable(prescribed: string, problem: string): LedgerError {
  const [synchronizerId, reason] = [shortened(prescribed), shortened(problem)]
  return prescribedInvalid(
    `Cannot submit transaction to prescribed synchronizer \`${synchronizerId}\` because: ${reason}`,
    { reason, synchronizerId },
  )
}

/** Physical synchronizer ids. */
export function informeesElsewhere(prescribed: string, found: readonly string[]): LedgerError {
  const synchronizersOfAllInformees = set(found)
  return prescribedInvalid(
    `Not all informees are on the specified synchronizer: ${prescribed}, but on ${synchronizersOfAllInformees}`,
    { physicalSynchronizerId: prescribed, synchronizersOfAllInformees },
  )
}

/** `synchronizers`: physical ids of those that host some of the parties. */
export const notActiveTogether = (
  role: 'submitters' | 'informees',
  parties: readonly string[],
  synchronizers: readonly string[],
): LedgerError =>
  systemState(`${role.toUpperCase()}_NOT_ACTIVE`, `There is no common synchronizer where all ${role} are active`, {
    informees: set(parties),
    synchronizers: set(synchronizers),
  })

export const noCommonSynchronizer = (submitters: readonly string[], informees: readonly string[]): LedgerError =>
  systemState(
    'NO_COMMON_SYNCHRONIZER',
    'There is no common synchronizer to which all submitters can submit and all informees are connected.',
    { submitters: set(submitters), informees: set(informees) },
  )

/** `problems`: a sentence for each candidate. */
export const noSynchronizerForSubmission = (problems: readonly string[]): LedgerError =>
  systemState('NO_SYNCHRONIZER_FOR_SUBMISSION', 'No valid synchronizer for submission found.', {
    synchronizersNotUsed: `Map(${problems.join(', ')})`,
  })

export const packageSelectionFailed = (problems: readonly string[]): LedgerError =>
  systemState(
    'PACKAGE_SELECTION_FAILED',
    `No synchronizers satisfy the topology requirements for the submitted command: ${problems.join(', ')}`,
  )

export const noPreferredPackages = (problems: readonly string[]): LedgerError =>
  systemState(
    'NO_PREFERRED_PACKAGES_FOUND',
    `Failed to compute package preferences. Reason: No synchronizer satisfies the vetting requirements. Discarded synchronizers: List(${problems.join(', ')})`,
  )

export const readersWithoutStake = (contractIds: readonly string[]): LedgerError =>
  systemState(
    'SUBMITTER_ALWAYS_STAKEHOLDER',
    'The given contracts cannot be reassigned as no submitter is a stakeholder.',
    { cids: contractIds.join(', ') },
  )

export const reassignmentFailed = (reason: string): LedgerError =>
  systemState(
    'AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED',
    'Automatically reassigning contracts to a common synchronizer failed.',
    { reason },
  )

const mismatch = (code: string, cause: string): LedgerError =>
  new LedgerError({ origin: 'interpretation', code, category: 8, cause })

export const disclosedApart = (disclosed: readonly Disclosed[]): LedgerError =>
  mismatch(
    'DISCLOSED_CONTRACTS_SYNCHRONIZER_ID_MISMATCH',
    `Some disclosed contracts that were used during command interpretation have mismatching synchronizer ids: Map(${disclosed
      .map(({ contract, synchronizerId }) => `${contract.id} -> ${synchronizerId}`)
      .join(', ')})`,
  )

export const disclosedElsewhere = (prescribed: string, { contract, synchronizerId }: Disclosed): LedgerError =>
  mismatch(
    'PRESCRIBED_SYNCHRONIZER_ID_MISMATCH',
    `The target synchronizer=${prescribed} specified in the command submission mismatches the synchronizer id=${synchronizerId} of a disclosed contract that has been used in the submission (${contract.id})`,
  )

export const partyWithoutSynchronizer = (submissionId: string): LedgerError =>
  systemState(
    'PARTY_ALLOCATION_WITHOUT_CONNECTED_SYNCHRONIZER',
    'Cannot allocate a party without being connected to a synchronizer',
    { submission_id: submissionId },
  )

export const partySynchronizerOpen = (partyId: string): LedgerError =>
  systemState(
    'PARTY_ALLOCATION_CANNOT_DETERMINE_SYNCHRONIZER',
    `Cannot determine the synchronizer on which to allocate party ${shortened(partyId)}, because the participant is connected to multiple synchronizers and no synchronizer was specified.`,
    { partyId },
  )

export const vettingSynchronizerOpen = (connected: readonly Synchronizer[]): LedgerError => {
  const ids = connected.map(({ id }) => shortened(id)).join(', ')
  const found = ids === '' ? 'no synchronizers currently connected' : `currently connected synchronizers ${ids}`
  return systemState('PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER', `Cannot autodetect synchronizer: ${found}`, {
    synchronizers: `List(${ids})`,
  })
}

export const vettingSynchronizerNotConnected = (synchronizerId: string): LedgerError =>
  systemState(
    'PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER',
    `Cannot upload a dar because the participant is not connected to synchronizer '${synchronizerId}'.`,
    { synchronizerId },
  )
