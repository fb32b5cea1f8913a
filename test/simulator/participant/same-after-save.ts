import assert from 'node:assert/strict'
import type { LedgerState } from '../../../simulator/ledger/state/ledger-state.js'
import type { StoredContract } from '../../../simulator/ledger/transactions/transaction.js'
import type { Participant } from '../../../simulator/participant/participant.js'
import { stateOf } from '../../../simulator/participant/saved-parts.js'
import { stateText } from '../../../simulator/participant/state-document.js'
import { createParticipant } from '../../../simulator/simulator.js'

/** Throws if not. */
export async function isSameAfterSave(participant: Participant): Promise<boolean> {
  const again = await createParticipant({ state: [...stateText(participant)].join('') })
  const [expected, found] = [participant, again].map((each) => {
    const { ledger, ...others } = stateOf(each)
    return { ...others, ledger: { ...ledger, packages: ledger.packages.all().map(({ id }) => id) } }
  })
  assert.deepStrictEqual(found, expected)
  return [...again.ledger.state.contracts.values()].every((one) => isOneObject(one, again.ledger.state))
}

const isOneObject = ({ contract, createdBy, archivedBy }: StoredContract, { transactions }: LedgerState): boolean =>
  [createdBy, archivedBy].every(
    (one) => !one || (transactions.get(one.updateId) === one && one.nodes.some((node) => node.contract === contract)),
  )
