import type { DataType } from '../language/package.js'
import type { BuiltinType, Type } from '../language/types.js'
import { wrong } from './lf-type-error.js'
import { shownType } from './shown.js'
import type { Typing } from './typing.js'

const storable: ReadonlySet<BuiltinType> = new Set([
  ...(['Unit', 'Bool', 'Int64', 'Date', 'Timestamp', 'Numeric', 'Party', 'Text'] as const),
  ...(['Optional', 'List', 'GenMap', 'TextMap'] as const),
])

/** Storable if its type arguments are. */
export function demandSerializableData(data: DataType, typing: Typing): void {
  if (data.kind === 'interface') wrong('values of interfaces cannot be stored')
  if (data.kind === 'enum') return
  const parts = data.kind === 'record' ? data.fields : data.constructors
  for (const [name, type] of parts) demandSerializable(type, typing, `part ${name}`)
}

export function demandSerializable(type: Type, typing: Typing, what: string): void {
  const found = typing.normal.of(type)
  if (!isSerializable(found, typing, 0)) wrong(`${what} has the type ${shownType(found)}, which cannot be stored`)
}

function isSerializable(type: Type, typing: Typing, depth: number): boolean {
  typing.work.visit(depth)
  switch (type.kind) {
    case 'nat':
    case 'var':
      return true
    case 'builtin':
      // Stored as an id, for any template.
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
