import type { DamlType } from '../../../daml/schema/schema.js'
import type { DamlRecord, DamlValue } from '../../../interface/daml-value.js'
import type { DamlTransaction, ExerciseNode } from '../../../interface/prepared-transaction/codec.js'
import { ProtobufError } from '../../../lib/protobuf/protobuf.js'
import { checkDaml } from '../../json/daml-check.js'
import { DamlJsonError, decodeDaml } from '../../json/daml-decode.js'
import { encodeDaml } from '../../json/daml-encode.js'
import { decodeLfValue, encodeLfValue } from '../contracts/lf-value.js'
import { type LedgerCommand, targetIn } from '../interpret/command.js'
import type { PackageStore } from '../packages/package-store.js'
import { sameValue } from '../state/ledger-view.js'

/** The command of the root node. Undefined for unknown names, or an argument of another type. */
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
  const target = targetIn(packages.entity(node.interfaceId ?? node.templateId), node.choiceId)
  const argument = target && complete(target.choice.argument, node.chosenValue)
  if (!target || !argument) return undefined
  if (!node.byKey) return { kind: 'exercise', contractId: node.contractId, target, argument }
  const { template } = target
  const key = template?.key && node.key && completeValue(template.key, node.key.key.key)
  return template && key && { kind: 'exerciseByKey', template, key, target, argument }
}

function complete(type: DamlType, value: DamlValue): DamlRecord | undefined {
  const whole = completeValue(type, value)
  return whole?.kind === 'record' ? whole : undefined
}

/** Adds omitted trailing Optionals. Undefined for a value of another type, out of range or not in canonical form. */
function completeValue(type: DamlType, value: DamlValue): DamlValue | undefined {
  try {
    const whole = decodeLfValue(type, encodeLfValue(value))
    if (checkDaml(type, whole).length > 0) return undefined
    // The JSON codec knows the constructors of enums, pads Numerics, and sorts maps without duplicate keys.
    return sameValue(decodeDaml(type, encodeDaml(type, whole)), whole) ? whole : undefined
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof DamlJsonError) return undefined
    throw error
  }
}
