import type { DamlIdentifier } from '../../interface/daml-value.js'

export const builtinTypes = [
  'Unit',
  'Bool',
  'Int64',
  'Date',
  'Timestamp',
  'Numeric',
  'Party',
  'Text',
  'ContractId',
  'Optional',
  'List',
  'GenMap',
  'Any',
  'AnyException',
  'TypeRep',
  'Arrow',
  'Update',
  'FailureCategory',
  'TextMap',
] as const

export type BuiltinType = (typeof builtinTypes)[number]

export type Type =
  | { kind: 'builtin'; name: BuiltinType; args: readonly Type[] }
  /** A data type, template, interface or exception. */
  | { kind: 'con'; id: DamlIdentifier; args: readonly Type[] }
  | { kind: 'var'; name: string; args: readonly Type[] }
  | { kind: 'syn'; id: DamlIdentifier; args: readonly Type[] }
  | { kind: 'nat'; value: number }
  | { kind: 'app'; fun: Type; arg: Type }
  | { kind: 'forall'; params: readonly string[]; body: Type }
  | { kind: 'struct'; fields: readonly FieldType[] }

export type FieldType = readonly [label: string, type: Type]

export function partsOfType(type: Type): readonly Type[] {
  switch (type.kind) {
    case 'nat':
      return []
    case 'app':
      return [type.fun, type.arg]
    case 'forall':
      return [type.body]
    case 'struct':
      return type.fields.map(([, of]) => of)
    default:
      return type.args
  }
}

/**
 * Equal exactly for equal types. Without synonyms.
 * @example printType({ kind: 'builtin', name: 'List', args: [{ kind: 'builtin', name: 'Text', args: [] }] }) // '(List Text)'
 */
export function printType(type: Type): string {
  switch (type.kind) {
    case 'builtin':
      return applied(type.name, type.args)
    case 'con':
      return applied(`${type.id.packageId}:${type.id.module}:${type.id.entity}`, type.args)
    case 'syn':
      return applied(`|${type.id.packageId}:${type.id.module}:${type.id.entity}`, type.args)
    case 'var':
      return applied(type.name, type.args)
    case 'nat':
      return String(type.value)
    case 'app':
      return `(${printType(type.fun)} ${printType(type.arg)})`
    case 'forall':
      return `forall ${type.params.join(' ')}. ${printType(type.body)}`
    case 'struct':
      return `<${type.fields.map(([label, of]) => `${label}: ${printType(of)}`).join(', ')}>`
  }
}

const applied = (head: string, args: readonly Type[]): string =>
  args.length === 0 ? head : `(${[head, ...args.map(printType)].join(' ')})`
