/** Reads and changes of the state of a participant. */
import { encodeBlob } from '../../simulator/ledger/contracts/created-event-blob.js'
import type { VettingState } from '../../simulator/ledger/packages/vetting.js'
import { changeId } from '../../simulator/ledger/state/deduplication.js'
import type { Participant } from '../../simulator/participant/participant.js'

/** Runs the task without accepted changes, then restores them. */
export async function withoutAcceptedChanges<T>({ ledger }: Participant, task: () => Promise<T>): Promise<T> {
  const { acceptedChanges } = ledger.state
  const before = new Map(acceptedChanges)
  acceptedChanges.clear()
  try {
    return await task()
  } finally {
    for (const [id, change] of before) if (!acceptedChanges.has(id)) acceptedChanges.set(id, change)
  }
}

export const acceptedInOrder = ({ ledger }: Participant): string[] =>
  [...ledger.state.transactions.values()].map(({ submission }) => changeId(submission))

/** The createdEventBlob (base64) of a contract. */
export function blobOf({ ledger }: Participant, contractId: string): string | undefined {
  const known = ledger.state.contracts.get(contractId)
  return known && encodeBlob(known.contract).toString('base64')
}

/** Vetting by synchronizer. */
export const vettingOf = ({ ledger }: Participant): readonly VettingState[] =>
  ledger.synchronizers.map(({ vetting }) => vetting)

export function restoreVetting({ ledger }: Participant, states: readonly VettingState[]): void {
  for (const [index, synchronizer] of ledger.synchronizers.entries()) {
    synchronizer.vetting = states[index] ?? synchronizer.vetting
  }
}
