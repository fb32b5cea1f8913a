import type { InputContract, PreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import { normalisePreparedTransaction } from '../../../interface/prepared-transaction/normalise.js'
import type { Slices } from '../../base/slices.js'
import { encodeBlob } from '../contracts/created-event-blob.js'
import type { LedgerCommand } from '../interpret/command.js'
import { type CommandCircumstances, interpretAndRoute } from '../route/routed-interpretation.js'
import type { Ledger } from '../state/ledger.js'
import type { Synchronizer } from '../state/ledger-state.js'
import { PreparedIds, preparedContract, preparedNodes } from '../transactions/prepared-nodes.js'
import { contractChanges, type Interpretation, type Node } from '../transactions/transaction.js'

interface Preparation extends CommandCircumstances {
  commandId: string
  /** The interface permits exactly one. */
  command: LedgerCommand
  /** In microseconds. */
  minLedgerTime: bigint | undefined
  maxRecordTime: bigint | undefined
}

/** Returns the transaction in canonical order. Throws `LedgerError`; changes nothing. */
export function* prepareTransaction(ledger: Ledger, preparation: Preparation): Slices<PreparedTransaction> {
  const { command, minLedgerTime } = preparation
  const now = ledger.clock.now()
  const time = minLedgerTime !== undefined && minLedgerTime > now ? minLedgerTime : now
  const request = { ...preparation, commands: [command] }
  const circumstances = { now, effectiveAt: time, signed: true }
  const { interpretation, route } = yield* interpretAndRoute(ledger, request, circumstances)
  return normalisePreparedTransaction(describe(ledger, preparation, interpretation, now, route.synchronizer))
}

function describe(
  ledger: Ledger,
  { actAs, commandId, maxRecordTime }: Preparation,
  interpretation: Interpretation,
  now: bigint,
  synchronizer: Synchronizer,
): PreparedTransaction {
  const { nodes, ledgerTime } = interpretation
  return {
    transaction: preparedNodes(interpretation),
    metadata: {
      submitterInfo: { actAs: [...actAs], commandId },
      synchronizerId: preparedSynchronizerId(ledger, synchronizer),
      mediatorGroup: 0,
      transactionUuid: ledger.entropy.uuid(),
      preparationTime: now,
      inputContracts: inputContracts(nodes),
      globalKeyMapping: [],
      minLedgerEffectiveTime: ledgerTime.min,
      maxLedgerEffectiveTime: ledgerTime.max,
      maxRecordTime,
    },
  }
}

/** Logical up to protocol version 34, then physical. */
export const preparedSynchronizerId = (ledger: Ledger, synchronizer: Synchronizer): string =>
  ledger.protocolVersion >= 35 ? ledger.physicalId(synchronizer) : synchronizer.id

function inputContracts(nodes: readonly Node[]): InputContract[] {
  const { created } = contractChanges(nodes)
  const ids = new PreparedIds(new Set(created.keys()))
  return nodes
    .filter(({ contract }) => !created.has(contract.id))
    .map(({ contract }) => ({
      contract: preparedContract(contract, ids),
      createdAt: contract.createdAt,
      eventBlob: encodeBlob(contract),
    }))
}
