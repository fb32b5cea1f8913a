import { type DamlIdentifier, printIdentifier } from '../../interface/daml-value.js'
import { printInstant } from '../../lib/json/instant.js'
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import { encodeDaml } from '../json/daml-encode.js'
import { type Contract, isStakeholder, keyHash, stakeholders } from '../ledger/contracts/contract.js'
import { encodeBlob } from '../ledger/contracts/created-event-blob.js'
import type { PackageStore } from '../ledger/packages/package-store.js'
import {
  contractChanges,
  type KeptExercise,
  type KeptNode,
  type Transaction,
} from '../ledger/transactions/transaction.js'
import { partiesOf, type Selection, select, type TransactionFormat } from './checked-format.js'
import type { Source } from './conversion.js'
import type { TransactionShape } from './event-format.js'
import { interfaceView } from './interface-view.js'

interface EventContext {
  offset: number
  nodeId: number
  acsDelta: boolean
  witnesses: readonly string[]
  blob: boolean
  views: Selection['views']
}

export function createdEvent(contract: Contract, context: EventContext, source: Source): JsonObject {
  const { key } = contract
  const template = source.ledger.packages.template(contract.template)
  return {
    offset: context.offset,
    nodeId: context.nodeId,
    contractId: contract.id,
    templateId: printIdentifier(contract.template),
    contractKey: key && template?.key ? encodeDaml(template.key, key.value) : null,
    ...(source.behaviour.has('members-since-3.5') && {
      contractKeyHash: key ? keyHash(contract, key).toString('base64') : '',
    }),
    createArgument: template ? encodeDaml(template.argument, contract.argument) : {},
    createdEventBlob: context.blob ? encodeBlob(contract).toString('base64') : '',
    interfaceViews: [...context.views].map((shown) => interfaceView(contract, shown, source)),
    witnessParties: [...context.witnesses],
    signatories: contract.signatories,
    observers: contract.observers,
    createdAt: printInstant(contract.createdAt),
    packageName: contract.packageName,
    representativePackageId: contract.template.packageId,
    acsDelta: context.acsDelta,
  }
}

/** Undefined: the format selects no event. */
export function transactionView(
  transaction: Transaction,
  format: TransactionFormat,
  source: Source,
): JsonObject | undefined {
  const shown = wholeTransactionView(transaction, format, source)
  return Array.isArray(shown['events']) && shown['events'].length > 0 ? shown : undefined
}

export function wholeTransactionView(transaction: Transaction, format: TransactionFormat, source: Source): JsonObject {
  const readers = partiesOf(format.eventFormat)
  const { submission } = transaction
  const events = transactionEvents(transaction, format, source)
  // Without shown events, the waiting caller sees the command id (observed on 3.5.10).
  const submits = events.length === 0 || !readers || submission.actAs.some((party) => readers.includes(party))
  return {
    updateId: transaction.updateId,
    commandId: submits ? submission.commandId : '',
    workflowId: submission.workflowId,
    effectiveAt: printInstant(transaction.effectiveAt),
    events,
    offset: transaction.offset,
    synchronizerId: transaction.synchronizerId,
    traceContext: { traceparent: `00-${transaction.traceId}-${transaction.traceId.slice(16)}-03`, tracestate: null },
    recordTime: printInstant(transaction.recordTime),
    externalTransactionHash: transaction.externalHash ?? null,
    paidTrafficCost: submits ? 0 : null,
    ...(source.behaviour.has('members-since-3.6') && { transactionHash: transaction.externalHash ?? null }),
  }
}

function transactionEvents(
  transaction: Transaction,
  { eventFormat, transactionShape }: TransactionFormat,
  source: Source,
): JsonValue[] {
  const { created, archived } = contractChanges(transaction.nodes)
  const transient = (id: string): boolean => created.has(id) && archived.has(id)
  const readers = partiesOf(eventFormat)
  const onlyDelta = transactionShape === 'TRANSACTION_SHAPE_ACS_DELTA'
  return transaction.nodes.flatMap((node): JsonValue[] => {
    if (node.kind === 'fetch') return []
    const changesContracts = !transient(node.contract.id) && (node.kind === 'create' || node.consuming)
    if (onlyDelta && !changesContracts) return []
    const knownTo = informedParties(node, transactionShape).filter(
      // Only contracts of hosted parties.
      (party) => (!readers || readers.includes(party)) && !(onlyDelta && source.ledger.isElsewhere(party)),
    )
    const selection = select(eventFormat, node.contract, knownTo, source.ledger.packages)
    if (!selection) return []
    // Only stakeholders have the contract in their active contract set.
    const acsDelta = changesContracts && isStakeholder(node.contract, selection.parties)
    if (node.kind === 'create') {
      const context = { offset: transaction.offset, nodeId: node.id, acsDelta, witnesses: [...selection.parties] }
      return [{ CreatedEvent: createdEvent(node.contract, { ...selection, ...context }, source) }]
    }
    if (onlyDelta) return [{ ArchivedEvent: archivedEvent(node, transaction.offset, selection) }]
    return [
      {
        ExercisedEvent: exercisedEvent(
          node,
          { offset: transaction.offset, acsDelta },
          selection,
          source.ledger.packages,
        ),
      },
    ]
  })
}

const informedParties = (node: KeptNode, shape: TransactionShape): string[] =>
  shape === 'TRANSACTION_SHAPE_ACS_DELTA' ? stakeholders(node.contract) : node.witnesses

export function archivedEvent(node: KeptExercise, offset: number, { parties, views }: Selection): JsonObject {
  return {
    offset,
    nodeId: node.id,
    contractId: node.contract.id,
    templateId: printIdentifier(node.template),
    witnessParties: [...parties],
    packageName: node.contract.packageName,
    implementedInterfaces: printInterfaces(views),
  }
}

/** The interface text states this only for archived contracts. */
const printInterfaces = (views: Selection['views']): string[] => [...views].map(({ id }) => printIdentifier(id))

const printOptional = (id: DamlIdentifier | undefined): string | null => (id ? printIdentifier(id) : null)

function exercisedEvent(
  node: KeptExercise,
  { offset, acsDelta }: { offset: number; acsDelta: boolean },
  { parties, views }: Selection,
  packages: PackageStore,
): JsonObject {
  const choice = packages.choice(node.interface ?? node.template, node.choice)
  return {
    offset,
    nodeId: node.id,
    contractId: node.contract.id,
    templateId: printIdentifier(node.template),
    interfaceId: printOptional(node.interface),
    choice: node.choice,
    choiceArgument: choice ? encodeDaml(choice.argument, node.argument) : {},
    actingParties: node.acting,
    consuming: node.consuming,
    witnessParties: [...parties],
    lastDescendantNodeId: node.lastDescendant,
    exerciseResult: choice && node.result ? encodeDaml(choice.result, node.result) : {},
    packageName: node.contract.packageName,
    implementedInterfaces: node.consuming ? printInterfaces(views) : [],
    acsDelta,
  }
}
