import { type BuiltinType, builtinTypes, type Type } from '../../../daml/language/types.js'
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
export function readTypeParams(cursor: Cursor): string[] {
  const params: string[] = []
  while (cursor.accept('(')) {
    params.push(cursor.name())
    cursor.expect(':')
    skipKind(cursor)
  }
  return params
}

/** With the closing parenthesis. */
function skipKind(cursor: Cursor): void {
  while (!cursor.accept(')')) {
    if (cursor.accept('(')) skipKind(cursor)
    else if (!cursor.accept('*') && !cursor.accept('->')) cursor.expect('nat')
  }
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

/** The name of `name : Type`. */
export function readBinder(cursor: Cursor): string {
  const name = cursor.name()
  cursor.expect(':')
  readType(cursor)
  return name
}

/** `@Type @Type …` */
export function skipTypeArgs(cursor: Cursor): void {
  while (cursor.accept('@')) readTypeAtom(cursor)
}

/** `@Module:Name` */
export function readTypeId(cursor: Cursor): DamlIdentifier {
  cursor.expect('@')
  return cursor.qualified().id
}
