/** Contracts, events and transactions as the interface shows them. */
import { createHash } from 'node:crypto'
import { type DamlIdentifier, printIdentifier } from '../../interface/daml-value.js'
import type { JsonObject, JsonValue } from '../../interface/json.js'
import { encodeDaml } from '../json/daml-encode.js'
import { printInstant } from '../json/instant.js'
import { type Contract, stakeholders } from '../ledger/contract.js'
import { encodeBlob } from '../ledger/created-event-blob.js'
import { encodeLfValue } from '../ledger/lf-value.js'
import type { PackageStore } from '../ledger/package-store.js'
import { contractChanges, type ExerciseNode, type Node, type Transaction } from '../ledger/transaction.js'
import type { TemplateReference } from './commands.js'
import { type EventFormat, partiesOf, select, type TransactionShape } from './event-format.js'

interface Placement {
  offset: number
  nodeId: number
  acsDelta: boolean
  witnesses: readonly string[]
  blob: boolean
  interfaceViews: JsonValue[]
}

/** A CreatedEvent; `placement` says what depends on where the event is shown. */
export function createdEvent(contract: Contract, placement: Placement, packages: PackageStore): JsonObject {
  const { key } = contract
  const template = packages.template(contract.template)
  return {
    offset: placement.offset,
    nodeId: placement.nodeId,
    contractId: contract.id,
    templateId: printIdentifier(contract.template),
    contractKey: key && template?.key ? encodeDaml(template.key.type, key.value) : null,
    contractKeyHash: key ? createHash('sha256').update(encodeLfValue(key.value)).digest('base64') : '',
    createArgument: template ? encodeDaml(template.argument, contract.argument) : {},
    createdEventBlob: placement.blob ? encodeBlob(contract).toString('base64') : '',
    interfaceViews: placement.interfaceViews,
    witnessParties: [...placement.witnesses],
    signatories: contract.signatories,
    observers: contract.observers,
    createdAt: printInstant(contract.createdAt),
    packageName: contract.packageName,
    representativePackageId: contract.template.packageId,
    acsDelta: placement.acsDelta,
  }
}

function interfaceViews(contract: Contract, wanted: readonly TemplateReference[], packages: PackageStore): JsonValue[] {
  const instances = packages.template(contract.template)?.implements ?? []
  return instances
    .filter(({ interface: { id } }) =>
      wanted.some(({ module, entity }) => id.module === module && id.entity === entity),
    )
    .map((instance) => ({
      interfaceId: printIdentifier(instance.interface.id),
      viewStatus: { code: 0, message: '', details: [] },
      viewValue: encodeDaml(instance.interface.view, instance.view(contract.argument)),
      implementationPackageId: contract.template.packageId,
    }))
}

/** The transaction as a format shows it; undefined when it shows no event of it. */
export function transactionView(
  transaction: Transaction,
  format: EventFormat,
  shape: TransactionShape,
  packages: PackageStore,
): JsonObject | undefined {
  const events = transactionEvents(transaction, format, shape, packages)
  if (events.length === 0) return undefined
  const readers = partiesOf(format)
  const { submission } = transaction
  const submits = !readers || submission.actAs.some((party) => readers.includes(party))
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
    externalTransactionHash: null,
    paidTrafficCost: 0,
  }
}

function transactionEvents(
  transaction: Transaction,
  format: EventFormat,
  shape: TransactionShape,
  packages: PackageStore,
): JsonValue[] {
  const { created, archived } = contractChanges(transaction.nodes)
  const transient = (id: string): boolean => created.has(id) && archived.has(id)
  const readers = partiesOf(format)
  return transaction.nodes.flatMap((node): JsonValue[] => {
    if (node.kind === 'fetch') return []
    const delta = !transient(node.contract.id) && (node.kind === 'create' || node.consuming)
    if (shape === 'TRANSACTION_SHAPE_ACS_DELTA' && !delta) return []
    const knownTo = knowers(node, shape).filter((party) => !readers || readers.includes(party))
    const selection = select(format, node.contract, knownTo, packages)
    if (!selection) return []
    const witnesses = [...selection.parties]
    if (node.kind === 'create') {
      const views = interfaceViews(node.contract, selection.views, packages)
      const placement = {
        offset: transaction.offset,
        nodeId: node.id,
        acsDelta: delta,
        witnesses,
        interfaceViews: views,
      }
      return [{ CreatedEvent: createdEvent(node.contract, { ...placement, blob: selection.blob }, packages) }]
    }
    if (shape === 'TRANSACTION_SHAPE_ACS_DELTA')
      return [{ ArchivedEvent: archivedEvent(node, transaction.offset, witnesses) }]
    return [{ ExercisedEvent: exercisedEvent(node, transaction.offset, witnesses, delta) }]
  })
}

/** Whom a node is shown to: the active contract set concerns stakeholders alone, effects everyone who learned of them. */
const knowers = (node: Node, shape: TransactionShape): string[] =>
  shape === 'TRANSACTION_SHAPE_ACS_DELTA' ? stakeholders(node.contract) : node.witnesses

export function archivedEvent(node: ExerciseNode, offset: number, witnesses: readonly string[]): JsonObject {
  return {
    offset,
    nodeId: node.id,
    contractId: node.contract.id,
    templateId: printIdentifier(node.contract.template),
    witnessParties: [...witnesses],
    packageName: node.contract.packageName,
    implementedInterfaces: [],
  }
}

const printOptional = (id: DamlIdentifier | undefined): string | null => (id ? printIdentifier(id) : null)

function exercisedEvent(
  node: ExerciseNode,
  offset: number,
  witnesses: readonly string[],
  acsDelta: boolean,
): JsonObject {
  return {
    offset,
    nodeId: node.id,
    contractId: node.contract.id,
    templateId: printIdentifier(node.contract.template),
    interfaceId: printOptional(node.interface),
    choice: node.choice,
    choiceArgument: encodeDaml(node.argumentType, node.argument),
    actingParties: node.acting,
    consuming: node.consuming,
    witnessParties: [...witnesses],
    lastDescendantNodeId: node.lastDescendant,
    exerciseResult: encodeDaml(node.resultType, node.result),
    packageName: node.contract.packageName,
    implementedInterfaces: [],
    acsDelta,
  }
}
