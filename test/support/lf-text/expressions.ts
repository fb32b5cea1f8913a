import { type BuiltinName, builtins } from '../../../daml/language/builtins.js'
import type { Alternative, Expr, Pattern } from '../../../daml/language/expressions.js'
import type { Cursor } from './cursor.js'
import { readBinder, readTypeAtom, readTypeId, readTypeParams, skipTypeArgs } from './types.js'
import { readUpdate } from './updates.js'

/** Throws `LfTextError`. */
export function readExpr(cursor: Cursor): Expr {
  if (cursor.accept('\\')) return readLambda(cursor)
  if (cursor.accept('/\\')) {
    readTypeParams(cursor)
    cursor.expect('.')
    return readExpr(cursor)
  }
  if (cursor.accept('case')) return readCase(cursor)
  if (cursor.accept('let')) {
    const name = readBinder(cursor)
    cursor.expect('=')
    const bound = readExpr(cursor)
    cursor.expect('in')
    return { kind: 'let', name, bound, body: readExpr(cursor) }
  }
  let expr = readHead(cursor)
  for (;;) {
    if (cursor.is('@')) skipTypeArgs(cursor)
    else if (startsAtom(cursor)) expr = applied(expr, readAtoms(cursor))
    else return expr
  }
}

/** As the decoder, one node for nested applications. */
const applied = (fun: Expr, args: readonly Expr[]): Expr =>
  fun.kind === 'app' ? { ...fun, args: [...fun.args, ...args] } : { kind: 'app', fun, args }

function readAtoms(cursor: Cursor): Expr[] {
  const atoms: Expr[] = []
  while (startsAtom(cursor)) atoms.push(readAtom(cursor))
  return atoms
}

function readLambda(cursor: Cursor): Expr {
  const params: string[] = []
  while (cursor.accept('(')) {
    params.push(readBinder(cursor))
    cursor.expect(')')
  }
  cursor.expect('->')
  const body = readExpr(cursor)
  return body.kind === 'abs' ? { ...body, params: [...params, ...body.params] } : { kind: 'abs', params, body }
}

function readCase(cursor: Cursor): Expr {
  const scrutinee = readExpr(cursor)
  cursor.expect('of')
  const alternatives: Alternative[] = []
  do {
    const pattern = readPattern(cursor)
    cursor.expect('->')
    alternatives.push({ pattern, body: readExpr(cursor) })
  } while (cursor.accept('|'))
  return { kind: 'case', scrutinee, alternatives }
}

function readPattern(cursor: Cursor): Pattern {
  if (cursor.token.kind === 'qualified') {
    const { id, rest: name = '' } = cursor.qualified()
    return cursor.is('->')
      ? { kind: 'enum', id, constructor: name }
      : { kind: 'variant', id, constructor: name, binder: cursor.name() }
  }
  if (cursor.accept('(')) {
    cursor.expect(')')
    return { kind: 'unit' }
  }
  const name = cursor.name()
  if (name === 'True' || name === 'False') return { kind: 'bool', value: name === 'True' }
  if (name === 'Nil') return { kind: 'nil' }
  if (name === 'Cons') return { kind: 'cons', head: cursor.name(), tail: cursor.name() }
  if (name === 'None') return { kind: 'none' }
  if (name === 'Some') return { kind: 'some', binder: cursor.name() }
  if (name === '_') return { kind: 'default' }
  throw cursor.problem('a pattern')
}

const startsAtom = (cursor: Cursor): boolean =>
  cursor.is('(') || (cursor.token.kind !== 'symbol' && cursor.token.kind !== 'end' && !reserved.has(cursor.token.text))

/** Words that end an expression. */
const reserved: ReadonlySet<string> = new Set(['of', 'in', 'catch', 'with', 'to'])

/** An expression that can be applied. */
function readHead(cursor: Cursor): Expr {
  const { token } = cursor
  if (token.kind === 'qualified') return readQualified(cursor, true)
  if (token.kind !== 'name') return readAtom(cursor)
  const update = readUpdate(cursor, { whole: readExpr, atom: readAtom })
  if (update) return update
  if (cursor.accept('Some')) {
    skipTypeArgs(cursor)
    return { kind: 'some', value: readAtom(cursor) }
  }
  if (cursor.accept('Cons')) {
    skipTypeArgs(cursor)
    cursor.expect('[')
    const front = cursor.list(']', () => readExpr(cursor))
    return { kind: 'cons', front, tail: readAtom(cursor) }
  }
  if (cursor.accept('throw')) {
    cursor.expect('@')
    readTypeAtom(cursor)
    cursor.expect('@')
    return { kind: 'throw', type: readTypeAtom(cursor), value: readAtom(cursor) }
  }
  if (cursor.accept('call_method')) {
    const of = readTypeId(cursor)
    const method = cursor.name()
    return { kind: 'callInterface', interface: of, method, value: readAtom(cursor) }
  }
  if (cursor.accept('view_interface')) {
    return { kind: 'viewInterface', interface: readTypeId(cursor), value: readAtom(cursor) }
  }
  if (cursor.accept('signatory_interface')) {
    return { kind: 'signatoryInterface', interface: readTypeId(cursor), value: readAtom(cursor) }
  }
  if (cursor.accept('to_interface')) {
    const of = readTypeId(cursor)
    return { kind: 'toInterface', interface: of, template: readTypeId(cursor), value: readAtom(cursor) }
  }
  return readAtom(cursor)
}

function readAtom(cursor: Cursor): Expr {
  const { token } = cursor
  if (cursor.accept('(')) {
    if (cursor.accept(')')) return { kind: 'unit' }
    const expr = readExpr(cursor)
    cursor.expect(')')
    return expr
  }
  if (token.kind === 'integer') return { kind: 'int64', value: BigInt(cursor.take('integer')) }
  if (token.kind === 'decimal') return { kind: 'numeric', text: cursor.take('decimal') }
  if (token.kind === 'text') return { kind: 'text', value: cursor.text() }
  if (token.kind === 'qualified') return readQualified(cursor, false)
  return readName(cursor)
}

const categories: ReadonlyMap<string, bigint> = new Map([
  ['INVALID_INDEPENDENT_OF_SYSTEM_STATE', 8n],
  ['INVALID_GIVEN_CURRENT_SYSTEM_STATE_OTHER', 9n],
])

function readName(cursor: Cursor): Expr {
  const name = cursor.name()
  const category = categories.get(name)
  if (category !== undefined) return { kind: 'category', value: category }
  if (isBuiltin(name)) return { kind: 'builtin', name }
  if (name === 'True' || name === 'False') return { kind: 'bool', value: name === 'True' }
  if (name === 'Nil' || name === 'None') {
    skipTypeArgs(cursor)
    return { kind: name === 'Nil' ? 'nil' : 'none' }
  }
  return { kind: 'var', name }
}

const isBuiltin = (name: string): name is BuiltinName => Object.hasOwn(builtins, name)

/** A value, a constructor, a projection or an update. */
function readQualified(cursor: Cursor, mayTakeArgument: boolean): Expr {
  const { id, rest: name } = cursor.qualified()
  if (name !== undefined) {
    skipTypeArgs(cursor)
    return mayTakeArgument && startsAtom(cursor)
      ? { kind: 'variantCon', id, constructor: name, value: readAtom(cursor) }
      : { kind: 'enumCon', id, constructor: name }
  }
  if (!/^[A-Z]/.test(id.entity)) return { kind: 'val', id }
  skipTypeArgs(cursor)
  cursor.expect('{')
  if (cursor.accept('}')) return { kind: 'recCon', id, fields: [] }
  const first = cursor.name()
  if (cursor.accept('}')) return { kind: 'recProj', id, field: first, record: readAtom(cursor) }
  if (cursor.accept('with')) {
    const field = cursor.name()
    cursor.expect('=')
    const value = readExpr(cursor)
    cursor.expect('}')
    return { kind: 'recUpd', id, field, record: { kind: 'var', name: first }, value }
  }
  cursor.expect('=')
  const fields: [string, Expr][] = [[first, readExpr(cursor)]]
  while (cursor.accept(',')) {
    const label = cursor.name()
    cursor.expect('=')
    fields.push([label, readExpr(cursor)])
  }
  cursor.expect('}')
  return { kind: 'recCon', id, fields }
}
