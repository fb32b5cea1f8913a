/** From decoded commands to a prepared transaction: what the commands would do, for their parties to sign. Commits nothing. */

import { normalisePreparedTransaction } from '../../interface/prepared-transaction/normalise.js'
import type { InputContract, PreparedTransaction } from '../../interface/prepared-transaction/prepared-transaction.js'
import type { LedgerCommand } from './command.js'
import type { Contract } from './contract.js'
import { encodeBlob } from './created-event-blob.js'
import { interpret } from './interpreter.js'
import type { Ledger } from './ledger.js'
import { PreparedIds } from './prepared-ids.js'
import { preparedContract, preparedNodes } from './prepared-nodes.js'
import { freshSeeding } from './seeding.js'
import { refuseUnknownInformees, refuseUnvetted, viewWith } from './submit.js'
import { contractChanges, type Interpretation, type Node } from './transaction.js'

interface Preparation {
  actAs: readonly string[]
  readAs: readonly string[]
  commandId: string
  /** Only one command can be prepared at a time. */
  command: LedgerCommand
  disclosed: readonly Contract[]
  /** Lower bound of the ledger time, in microseconds. */
  minLedgerTime: bigint | undefined
  maxRecordTime: bigint | undefined
}

/** Interprets the command and returns what is to be signed, in order. Throws `LedgerError`; changes nothing. */
export function prepareTransaction(ledger: Ledger, preparation: Preparation): PreparedTransaction {
  const { command, actAs, readAs, disclosed, minLedgerTime } = preparation
  const now = ledger.clock.now()
  const time = minLedgerTime !== undefined && minLedgerTime > now ? minLedgerTime : now
  const interpretation = interpret(
    [command],
    { actAs, readAs, disclosed: new Set(disclosed.map(({ id }) => id)) },
    viewWith(ledger, disclosed),
    time,
    freshSeeding(ledger.entropy, now),
  )
  refuseUnknownInformees(ledger, interpretation)
  refuseUnvetted(ledger, interpretation)
  return normalisePreparedTransaction(describe(ledger, preparation, interpretation, now, time))
}

function describe(
  ledger: Ledger,
  { actAs, commandId, command, maxRecordTime }: Preparation,
  { nodes, readsTime }: Interpretation,
  now: bigint,
  time: bigint,
): PreparedTransaction {
  // Reading the time binds the transaction to it.
  const bound = readsTime ? time : undefined
  return {
    transaction: preparedNodes(nodes, command.kind === 'exerciseByKey'),
    metadata: {
      submitterInfo: { actAs: [...actAs], commandId },
      synchronizerId: preparedSynchronizerId(ledger),
      mediatorGroup: 0,
      transactionUuid: ledger.entropy.uuid(),
      preparationTime: now,
      inputContracts: inputContracts(nodes),
      globalKeyMapping: [],
      minLedgerEffectiveTime: bound,
      maxLedgerEffectiveTime: bound,
      maxRecordTime,
    },
  }
}

/** How a prepared transaction names the synchronizer: up to protocol version 34 logically, then physically. */
export const preparedSynchronizerId = (ledger: Ledger): string =>
  ledger.protocolVersion >= 35 ? ledger.physicalSynchronizerId : ledger.synchronizer.id

/** Every contract that the transaction uses and does not create itself. */
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
