/** The command that the root of a prepared transaction stands for. */

import type { DamlType } from '../../daml/schema/daml-type.js'
import type { DamlRecord, DamlValue } from '../../interface/daml-value.js'
import type { DamlTransaction, ExerciseNode } from '../../interface/prepared-transaction/prepared-transaction.js'
import { ProtobufError } from '../../interface/protobuf.js'
import type { ChoiceTarget, LedgerCommand } from './command.js'
import { fits } from './fits.js'
import { decodeLfValue, encodeLfValue } from './lf-value.js'
import type { PackageStore } from './package-store.js'

/** Undefined when it names nothing that the packages have, or when its argument is of another type. */
export function rootCommand({ roots, nodes }: DamlTransaction, packages: PackageStore): LedgerCommand | undefined {
  const root = nodes.find(({ nodeId }) => nodeId === roots[0])?.node
  if (root?.kind === 'create') {
    const template = packages.template(root.templateId)
    const argument = template && complete(template.argument, root.argument)
    return template && argument && { kind: 'create', template, argument }
  }
  return root?.kind === 'exercise' ? exercise(root, packages) : undefined
}

function exercise(node: ExerciseNode, packages: PackageStore): LedgerCommand | undefined {
  const target = targetOf(node, packages)
  const argument = target && complete(target.choice.argument, node.chosenValue)
  if (!target || !argument) return undefined
  if (!node.byKey) return { kind: 'exercise', contractId: node.contractId, target, argument }
  const { template } = target
  const key = template?.key && node.key && completeValue(template.key, node.key.key.key)
  return template && key && { kind: 'exerciseByKey', template, key, target, argument }
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

function complete(type: DamlType, value: DamlValue): DamlRecord | undefined {
  const whole = completeValue(type, value)
  return whole?.kind === 'record' ? whole : undefined
}

/** The value with the absent Optionals that serialized records leave out at their ends; undefined when it is none of the type. */
function completeValue(type: DamlType, value: DamlValue): DamlValue | undefined {
  try {
    const whole = decodeLfValue(type, encodeLfValue(value))
    return fits(type, whole) ? whole : undefined
  } catch (error) {
    if (error instanceof ProtobufError) return undefined
    throw error
  }
}
