import { type BuiltinType, builtinTypes, type Kind, type Type, type TypeParam } from '../../../daml/language/types.js'
import { apply } from '../../../daml/schema/substitute.js'
import type { DamlIdentifier } from '../../../interface/daml-value.js'
import type { Cursor } from './cursor.js'

// The text format has Option for Optional.
const builtins = new Map<string, BuiltinType>([
  ...builtinTypes.map((name) => [name, name] as const),
  ['Option', 'Optional'],
])

/** Throws `LfTextError`. */
export function readType(cursor: Cursor): Type {
  if (cursor.accept('forall')) {
    const params = readTypeParams(cursor)
    cursor.expect('.')
    return { kind: 'forall', params, body: readType(cursor) }
  }
  let type = readTypeAtom(cursor)
  while (startsTypeAtom(cursor)) type = apply(type, readTypeAtom(cursor))
  if (!cursor.accept('->')) return type
  return { kind: 'builtin', name: 'Arrow', args: [type, readType(cursor)] }
}

/** `(a:*) (n:nat) (f:*->*)` */
export function readTypeParams(cursor: Cursor): TypeParam[] {
  const params: TypeParam[] = []
  while (cursor.accept('(')) {
    const name = cursor.name()
    cursor.expect(':')
    params.push([name, readKind(cursor)])
    cursor.expect(')')
  }
  return params
}

function readKind(cursor: Cursor): Kind {
  const from = readKindAtom(cursor)
  return cursor.accept('->') ? { from, to: readKind(cursor) } : from
}

function readKindAtom(cursor: Cursor): Kind {
  if (cursor.accept('*')) return 'star'
  if (cursor.accept('nat')) return 'nat'
  cursor.expect('(')
  const kind = readKind(cursor)
  cursor.expect(')')
  return kind
}

const startsTypeAtom = (cursor: Cursor): boolean =>
  cursor.is('(') || cursor.token.kind === 'qualified' || cursor.token.kind === 'integer' || isTypeName(cursor)

const isTypeName = (cursor: Cursor): boolean => cursor.token.kind === 'name' && !reserved.has(cursor.token.text)

/** Words that end a type. */
const reserved: ReadonlySet<string> = new Set(['to', 'in', 'of'])

export function readTypeAtom(cursor: Cursor): Type {
  if (cursor.accept('(')) {
    const type = readType(cursor)
    cursor.expect(')')
    return type
  }
  if (cursor.token.kind === 'integer') return { kind: 'nat', value: Number(cursor.take('integer')) }
  if (cursor.token.kind === 'qualified') return { kind: 'con', id: cursor.qualified().id, args: [] }
  const name = cursor.name()
  const builtin = builtins.get(name)
  return builtin ? { kind: 'builtin', name: builtin, args: [] } : { kind: 'var', name, args: [] }
}

/** `name : Type` */
export function readBinder(cursor: Cursor): { name: string; type: Type } {
  const name = cursor.name()
  cursor.expect(':')
  return { name, type: readType(cursor) }
}

/** `@Type @Type …` */
export function readTypeArgs(cursor: Cursor): Type[] {
  const types: Type[] = []
  while (cursor.accept('@')) types.push(readTypeAtom(cursor))
  return types
}

/** `@Type` */
export function readTypeArg(cursor: Cursor): Type {
  cursor.expect('@')
  return readTypeAtom(cursor)
}

/** `@Module:Name` */
export function readTypeId(cursor: Cursor): DamlIdentifier {
  cursor.expect('@')
  return cursor.qualified().id
}
