/** The command that the root of a prepared transaction stands for. */
import type { DamlRecord, DamlValue } from '../../interface/daml-value.js'
import type { DamlTransaction, ExerciseNode } from '../../interface/prepared-transaction/prepared-transaction.js'
import type { DamlType } from '../../model/description.js'
import type { ChoiceTarget, LedgerCommand } from './command.js'
import { fits } from './fits.js'
import type { PackageStore } from './package-store.js'

/** Undefined when it names nothing that the packages have, or when its argument is of another type. */
export function rootCommand({ roots, nodes }: DamlTransaction, packages: PackageStore): LedgerCommand | undefined {
  const root = nodes.find(({ nodeId }) => nodeId === roots[0])?.node
  if (root?.kind === 'create') {
    const template = packages.template(root.templateId)
    if (!template || !isRecord(template.argument, root.argument)) return undefined
    return { kind: 'create', template, argument: root.argument }
  }
  return root?.kind === 'exercise' ? exercise(root, packages) : undefined
}

function exercise(node: ExerciseNode, packages: PackageStore): LedgerCommand | undefined {
  const target = targetOf(node, packages)
  if (!target || !isRecord(target.choice.argument, node.chosenValue)) return undefined
  const argument = node.chosenValue
  if (!node.byKey) return { kind: 'exercise', contractId: node.contractId, target, argument }
  if (!target.template?.key || !node.key) return undefined
  return fits(target.template.key.type, node.key.key.key)
    ? { kind: 'exerciseByKey', template: target.template, key: node.key.key.key, target, argument }
    : undefined
}

function targetOf(
  { interfaceId, templateId, choiceId }: ExerciseNode,
  packages: PackageStore,
): ChoiceTarget | undefined {
  const entity = packages.entity(interfaceId ?? templateId)
  const { template, interface: definition } = entity ?? {}
  const choice = template?.choices.find(({ name }) => name === choiceId)
  if (template && choice) return { template, choice }
  const interfaceChoice = definition?.choices.find(({ name }) => name === choiceId)
  return definition && interfaceChoice && { interface: definition, choice: interfaceChoice }
}

const isRecord = (type: DamlType, value: DamlValue): value is DamlRecord => value.kind === 'record' && fits(type, value)
