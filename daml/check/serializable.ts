/** Which types are of values that can be stored and sent. */
import type { DataType } from '../language/package.js'
import type { BuiltinType, Type } from '../language/types.js'
import { wrong } from './lf-type-error.js'
import { shownType } from './shown.js'
import type { Typing } from './typing.js'

const storable: ReadonlySet<BuiltinType> = new Set([
  ...(['Unit', 'Bool', 'Int64', 'Date', 'Timestamp', 'Numeric', 'Party', 'Text'] as const),
  ...(['Optional', 'List', 'GenMap', 'TextMap'] as const),
])

/** The values of a type that says so can be stored if those of its arguments can be. */
export function demandSerializableData(data: DataType, typing: Typing): void {
  if (data.kind === 'interface') wrong('values of interfaces cannot be stored')
  if (data.kind === 'enum') return
  const parts = data.kind === 'record' ? data.fields : data.constructors
  for (const [name, type] of parts) demandSerializable(type, typing, `part ${name}`)
}

export function demandSerializable(type: Type, typing: Typing, what: string): void {
  const found = typing.normal.of(type)
  if (!isSerializable(found, typing, 0)) wrong(`${what} is of the type ${shownType(found)}, which cannot be stored`)
}

function isSerializable(type: Type, typing: Typing, depth: number): boolean {
  typing.work.visit(depth)
  switch (type.kind) {
    case 'nat':
    case 'var':
      return true
    case 'builtin':
      // Contracts are known by their ids, whatever their templates and interfaces are.
      if (type.name === 'ContractId' && type.args[0]?.kind === 'con') return true
      return (storable.has(type.name) || type.name === 'ContractId') && areSerializable(type.args, typing, depth)
    case 'con':
      return typing.program.dataType(type.id).serializable && areSerializable(type.args, typing, depth)
    default:
      return false
  }
}

const areSerializable = (types: readonly Type[], typing: Typing, depth: number): boolean =>
  types.every((type) => isSerializable(type, typing, depth + 1))
