import type { Expr, Update } from '../../../daml/language/expressions.js'
import type { Cursor } from './cursor.js'
import { readBinder, readTypeId, skipTypeArgs } from './types.js'

interface ReadExpr {
  whole: (cursor: Cursor) => Expr
  atom: (cursor: Cursor) => Expr
}

/** Undefined if no update starts here. Throws `LfTextError`. */
export function readUpdate(cursor: Cursor, expr: ReadExpr): Expr | undefined {
  const read = readers[cursor.token.text]
  if (!read) return undefined
  cursor.name()
  const update = read(cursor, expr)
  return 'update' in update ? update : { kind: 'update', update }
}

type Reader = (cursor: Cursor, expr: ReadExpr) => Update | Extract<Expr, { kind: 'update' }>

const readers: Readonly<Record<string, Reader | undefined>> = {
  upure: (cursor, expr) => {
    skipTypeArgs(cursor)
    return { kind: 'pure', value: expr.atom(cursor) }
  },
  ubind: readBind,
  create: (cursor, expr) => ({ kind: 'create', template: readTypeId(cursor), argument: expr.atom(cursor) }),
  exercise: (cursor, expr) => {
    const template = readTypeId(cursor)
    return {
      kind: 'exercise',
      template,
      choice: cursor.name(),
      contractId: expr.atom(cursor),
      argument: expr.atom(cursor),
    }
  },
  exercise_interface: (cursor, expr) => {
    const of = readTypeId(cursor)
    const choice = cursor.name()
    return {
      kind: 'exerciseInterface',
      interface: of,
      choice,
      contractId: expr.atom(cursor),
      argument: expr.atom(cursor),
    }
  },
  exercise_by_key: (cursor, expr) => {
    const template = readTypeId(cursor)
    return {
      kind: 'exerciseByKey',
      template,
      choice: cursor.name(),
      key: expr.atom(cursor),
      argument: expr.atom(cursor),
    }
  },
  fetch_template: (cursor, expr) => ({ kind: 'fetch', template: readTypeId(cursor), contractId: expr.atom(cursor) }),
  fetch_interface: (cursor, expr) => ({
    kind: 'fetchInterface',
    interface: readTypeId(cursor),
    contractId: expr.atom(cursor),
  }),
  fetch_by_key: (cursor) => ({ kind: 'fetchByKey', template: readTypeId(cursor) }),
  query_n_by_key: (cursor) => ({ kind: 'queryByKey', template: readTypeId(cursor) }),
  uget_time: () => ({ kind: 'getTime' }),
  ledger_time_lt: (cursor, expr) => ({ kind: 'ledgerTimeLt', time: expr.atom(cursor) }),
  try: (cursor, expr) => {
    skipTypeArgs(cursor)
    const body = expr.whole(cursor)
    cursor.expect('catch')
    const binder = cursor.name()
    cursor.expect('->')
    return { kind: 'tryCatch', body, binder, handler: expr.whole(cursor) }
  },
}

/** `ubind name : Type <- update; … in update` */
function readBind(cursor: Cursor, expr: ReadExpr): Extract<Expr, { kind: 'update' }> {
  const name = readBinder(cursor)
  cursor.expect('<-')
  const bound = expr.whole(cursor)
  const body = cursor.accept(';') ? readBind(cursor, expr) : afterIn(cursor, expr)
  return { kind: 'update', update: { kind: 'bind', name, bound, body } }
}

function afterIn(cursor: Cursor, expr: ReadExpr): Expr {
  cursor.expect('in')
  return expr.whole(cursor)
}
