import type { Expr, Update } from '../language/expressions.js'
import { malformed } from './archive-error.js'
import type { Tables } from './tables.js'
import type { Message } from './wire.js'

const members: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16])

type DecodeExpr = (message: Message, tables: Tables) => Expr

/** Throws `ArchiveError`. */
export function decodeUpdate(message: Message, tables: Tables, decodeExpr: DecodeExpr): Update {
  const member = message.which(members) ?? 0
  const part = message.message(member)
  const id = () => tables.identifier(part.message(1))
  const expr = (field: number) => decodeExpr(part.message(field), tables)
  switch (member) {
    case 1:
      return { kind: 'pure', value: expr(2) }
    case 2:
      return decodeBlock(part, tables, decodeExpr)
    case 3:
      return { kind: 'create', template: id(), argument: expr(2) }
    case 4:
      return {
        kind: 'exercise',
        template: id(),
        choice: tables.string(part.int32(6)),
        contractId: expr(3),
        argument: expr(5),
      }
    case 5:
      return { kind: 'fetch', template: id(), contractId: expr(2) }
    case 6:
      return { kind: 'getTime' }
    case 7:
      return { kind: 'embed', body: expr(2) }
    case 9:
      return { kind: 'fetchByKey', template: id() }
    case 10:
      return {
        kind: 'exerciseByKey',
        template: id(),
        choice: tables.string(part.int32(2)),
        key: expr(3),
        argument: expr(4),
      }
    case 11:
      return {
        kind: 'tryCatch',
        body: expr(2),
        binder: tables.string(part.int32(3)),
        handler: expr(4),
      }
    case 12:
      return { kind: 'createInterface', interface: id(), argument: expr(2) }
    case 13:
      if (part.has(5)) throw malformed(`an exercise has a guard, which is not in Daml-LF ${tables.language}`)
      return {
        kind: 'exerciseInterface',
        interface: id(),
        choice: tables.string(part.int32(2)),
        contractId: expr(3),
        argument: expr(4),
      }
    case 14:
      return { kind: 'fetchInterface', interface: id(), contractId: expr(2) }
    case 15:
      return { kind: 'ledgerTimeLt', time: decodeExpr(part, tables) }
    case 16:
      return { kind: 'queryByKey', template: id() }
    default:
      throw malformed(`the kind of an update is not in Daml-LF ${tables.language}`)
  }
}

interface Binding {
  name: string
  bound: Expr
}

export const decodeBindings = (block: Message, tables: Tables, decodeExpr: DecodeExpr): Binding[] =>
  block.messages(1).map((binding) => ({
    name: tables.string(binding.message(1).int32(3)),
    bound: decodeExpr(binding.message(2), tables),
  }))

/** Nests the bindings of a block. */
function decodeBlock(block: Message, tables: Tables, decodeExpr: DecodeExpr): Update {
  const [first, ...rest] = decodeBindings(block, tables, decodeExpr)
  if (!first) throw malformed('a block has no bindings')
  const body = rest.reduceRight<Expr>(
    (after, binding) => ({ kind: 'update', update: { kind: 'bind', ...binding, body: after } }),
    decodeExpr(block.message(2), tables),
  )
  return { kind: 'bind', ...first, body }
}
