import { compareDaml, compareText } from '../../../daml/schema/order.js'
import { type DamlType, partsOf } from '../../../daml/schema/schema.js'
import type { DamlRecord, DamlValue } from '../../../interface/daml-value.js'
import type { DamlTransaction, ExerciseNode } from '../../../interface/prepared-transaction/codec.js'
import { ProtobufError } from '../../../lib/protobuf/protobuf.js'
import { checkDaml } from '../../json/daml-check.js'
import { readNumeric } from '../../json/daml-number.js'
import { decodeLfValue, encodeLfValue } from '../contracts/lf-value.js'
import { type LedgerCommand, targetIn } from '../interpret/command.js'
import type { PackageStore } from '../packages/package-store.js'

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

/** Adds omitted trailing Optionals. Undefined for a value of another type. */
function completeValue(type: DamlType, value: DamlValue): DamlValue | undefined {
  try {
    const whole = decodeLfValue(type, encodeLfValue(value))
    return fits(type, whole) ? whole : undefined
  } catch (error) {
    if (error instanceof ProtobufError) return undefined
    throw error
  }
}

/** Whether the decoded value is canonical: known constructors of enums, scalars in range, Numerics padded, maps sorted without duplicate keys. */
const fits = (type: DamlType, value: DamlValue): boolean =>
  isCanonical(type, value) && checkDaml(type, value).length === 0

const isCanonical = (type: DamlType, value: DamlValue): boolean =>
  isCanonicalItself(type, value) && partsOf(type, value).every(([of, part]) => isCanonical(of, part))

function isCanonicalItself(type: DamlType, value: DamlValue): boolean {
  switch (value.kind) {
    case 'enum':
      return type.type === 'enum' && type.constructors.includes(value.constructor)
    case 'numeric':
      return type.type === 'numeric' && readNumeric(value.value, type.scale).value === value.value
    case 'textMap':
      return ascends(value.entries, compareText)
    case 'genMap':
      return type.type === 'genMap' && ascends(value.entries, (a, b) => compareDaml(type.key, a, b))
    default:
      return true
  }
}

const ascends = <K>(entries: readonly [K, DamlValue][], compare: (a: K, b: K) => number): boolean =>
  entries.every(([key], index) => {
    const next = entries[index + 1]
    return !next || compare(key, next[0]) < 0
  })
