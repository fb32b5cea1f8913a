import type { DamlIdentifier } from '../../interface/daml-value.js'
import { type BuiltinName, builtins } from '../language/builtins.js'
import type { Alternative, AnyType, Expr, FieldExpr, Pattern } from '../language/expressions.js'
import { malformed } from './archive-error.js'
import type { Tables } from './tables.js'
import { decodeType } from './types.js'
import { decodeBindings, decodeUpdate } from './updates.js'
import type { Message } from './wire.js'

const builtinNames = new Map<number, string>(Object.entries(builtins).map(([name, { number }]) => [number, name]))

type Decoder = (part: Message, tables: Tables) => Expr

const toAny =
  (any: AnyType): Decoder =>
  (part, tables) => ({ kind: 'toAny', any, ...typed(part, tables) })
const fromAny =
  (any: AnyType): Decoder =>
  (part, tables) => ({ kind: 'fromAny', any, ...typed(part, tables) })

const typed = (part: Message, tables: Tables) => ({
  type: decodeType(part.message(1), tables),
  value: decodeExpr(part.message(2), tables),
})

const ofInterface = (part: Message, tables: Tables) => ({
  interface: tables.identifier(part.message(1)),
  value: decodeExpr(part.message(2), tables),
})

/** The type that is constructed, without its arguments. */
const constructed = (part: Message, tables: Tables): DamlIdentifier => tables.identifier(part.message(1).message(1))

const ofTemplate = (part: Message, tables: Tables, value = 3) => ({
  interface: tables.identifier(part.message(1)),
  template: tables.identifier(part.message(2)),
  value: decodeExpr(part.message(value), tables),
})

const ofRequired = (part: Message, tables: Tables, value = 3) => ({
  required: tables.identifier(part.message(1)),
  requiring: tables.identifier(part.message(2)),
  value: decodeExpr(part.message(value), tables),
})

/** By the number of the protobuf field. */
const decoders: Readonly<Record<number, Decoder>> = {
  3: (part, tables) => ({ kind: 'val', id: tables.identifier(part) }),
  6: decodeLiteral,
  7: (part, tables) => ({
    kind: 'recCon',
    id: constructed(part, tables),
    fields: decodeFields(part.messages(2), tables),
  }),
  8: (part, tables) => ({
    kind: 'recProj',
    id: constructed(part, tables),
    field: tables.string(part.int32(4)),
    record: decodeExpr(part.message(3), tables),
  }),
  9: (part, tables) => ({
    kind: 'recUpd',
    id: constructed(part, tables),
    field: tables.string(part.int32(2)),
    record: decodeExpr(part.message(3), tables),
    value: decodeExpr(part.message(4), tables),
  }),
  10: (part, tables) => ({
    kind: 'variantCon',
    id: constructed(part, tables),
    constructor: tables.string(part.int32(2)),
    value: decodeExpr(part.message(3), tables),
  }),
  11: (part, tables) => ({
    kind: 'enumCon',
    id: tables.identifier(part.message(1)),
    constructor: tables.string(part.int32(2)),
  }),
  12: (part, tables) => ({ kind: 'structCon', fields: decodeFields(part.messages(1), tables) }),
  13: (part, tables) => ({
    kind: 'structProj',
    field: tables.string(part.int32(1)),
    struct: decodeExpr(part.message(2), tables),
  }),
  14: (part, tables) => ({
    kind: 'structUpd',
    field: tables.string(part.int32(1)),
    struct: decodeExpr(part.message(2), tables),
    value: decodeExpr(part.message(3), tables),
  }),
  15: (part, tables) => {
    const fun = decodeExpr(part.message(1), tables)
    const args = part.messages(2).map((arg) => decodeExpr(arg, tables))
    // Since 2.3 applications and abstractions are nested.
    return fun.kind === 'app' ? { ...fun, args: [...fun.args, ...args] } : { kind: 'app', fun, args }
  },
  // Application to types and abstraction over types: types have no effect at run time.
  16: (part, tables) => decodeExpr(part.message(1), tables),
  18: (part, tables) => decodeExpr(part.message(2), tables),
  17: (part, tables) => {
    const params = part.messages(1).map((param) => tables.string(param.int32(3)))
    const body = decodeExpr(part.message(2), tables)
    return body.kind === 'abs' ? { ...body, params: [...params, ...body.params] } : { kind: 'abs', params, body }
  },
  19: (part, tables) => ({
    kind: 'case',
    scrutinee: decodeExpr(part.message(1), tables),
    alternatives: part.messages(2).map((alternative) => decodeAlternative(alternative, tables)),
  }),
  20: (part, tables) =>
    decodeBindings(part, tables, decodeExpr).reduceRight<Expr>(
      (body, binding) => ({ kind: 'let', ...binding, body }),
      decodeExpr(part.message(2), tables),
    ),
  21: () => ({ kind: 'nil' }),
  22: (part, tables) => ({
    kind: 'cons',
    front: part.messages(2).map((item) => decodeExpr(item, tables)),
    tail: decodeExpr(part.message(3), tables),
  }),
  23: (part, tables) => ({ kind: 'update', update: decodeUpdate(part, tables, decodeExpr) }),
  25: () => ({ kind: 'none' }),
  26: (part, tables) => ({ kind: 'some', value: decodeExpr(part.message(2), tables) }),
  27: toAny('Any'),
  28: fromAny('Any'),
  29: (part, tables) => ({ kind: 'typeRep', type: decodeType(part, tables) }),
  30: toAny('AnyException'),
  31: fromAny('AnyException'),
  32: (part, tables) => ({
    kind: 'throw',
    type: decodeType(part.message(2), tables),
    value: decodeExpr(part.message(3), tables),
  }),
  33: (part, tables) => ({ kind: 'toInterface', ...ofTemplate(part, tables) }),
  34: (part, tables) => ({ kind: 'fromInterface', ...ofTemplate(part, tables) }),
  35: (part, tables) => ({
    kind: 'callInterface',
    interface: tables.identifier(part.message(1)),
    method: tables.string(part.int32(2)),
    value: decodeExpr(part.message(3), tables),
  }),
  36: (part, tables) => ({ kind: 'signatoryInterface', ...ofInterface(part, tables) }),
  37: (part, tables) => ({ kind: 'observerInterface', ...ofInterface(part, tables) }),
  38: (part, tables) => ({ kind: 'viewInterface', ...ofInterface(part, tables) }),
  39: (part, tables) => ({
    kind: 'unsafeFromInterface',
    contractId: decodeExpr(part.message(3), tables),
    ...ofTemplate(part, tables, 4),
  }),
  40: (part, tables) => ({ kind: 'interfaceTemplateTypeRep', ...ofInterface(part, tables) }),
  41: (part, tables) => ({ kind: 'toRequiredInterface', ...ofRequired(part, tables) }),
  42: (part, tables) => ({ kind: 'fromRequiredInterface', ...ofRequired(part, tables) }),
  43: (part, tables) => ({
    kind: 'unsafeFromRequiredInterface',
    contractId: decodeExpr(part.message(3), tables),
    ...ofRequired(part, tables, 4),
  }),
}

/** Fields of all kinds of expressions. */
const members: ReadonlySet<number> = new Set([2, 4, 5, 44, 1001, 1002, 9999, ...Object.keys(decoders).map(Number)])

/** Throws `ArchiveError`. */
export function decodeExpr(message: Message, tables: Tables): Expr {
  const member = message.which(members)
  if (member === 2) return { kind: 'var', name: tables.string(message.int32(2)) }
  if (member === 4) return { kind: 'builtin', name: builtinName(message.int32(4)) }
  if (member === 5) return builtinCon(message.int32(5))
  if (member === 44) return tables.expr(message.int32(44))
  const decode = member === undefined ? undefined : decoders[member]
  if (member === undefined || !decode) {
    throw malformed(`an expression of kind ${member ?? 'none'} is not in Daml-LF ${tables.language}`)
  }
  return decode(message.message(member), tables)
}

function builtinName(number: number): BuiltinName {
  const name = builtinNames.get(number)
  if (name === undefined) throw malformed(`builtin function ${number} is not known`)
  return name as BuiltinName // the table was made of these
}

function builtinCon(number: number): Extract<Expr, { kind: 'unit' | 'bool' }> {
  if (number === 0) return { kind: 'unit' }
  if (number === 1 || number === 2) return { kind: 'bool', value: number === 2 }
  throw malformed(`builtin constructor ${number} is not known`)
}

const literals: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6])

function decodeLiteral(part: Message, tables: Tables): Expr {
  switch (part.which(literals)) {
    case 1:
      return { kind: 'int64', value: part.sint64(1) }
    case 2:
      return { kind: 'timestamp', micros: part.sfixed64(2) }
    case 3:
      return { kind: 'numeric', text: tables.string(part.int32(3)) }
    case 4:
      return { kind: 'text', value: tables.string(part.int32(4)) }
    case 5:
      return { kind: 'date', days: part.int32(5) }
    case 6:
      return { kind: 'category', value: part.int32(6) === 0 ? 8n : 9n }
    default:
      throw malformed('a literal has an unknown kind')
  }
}

const decodeFields = (messages: readonly Message[], tables: Tables): FieldExpr[] =>
  messages.map((field) => [tables.string(field.int32(3)), decodeExpr(field.message(2), tables)])

const patterns: ReadonlySet<number> = new Set([2, 3, 4, 5, 6, 7, 8, 9])

function decodeAlternative(message: Message, tables: Tables): Alternative {
  return { pattern: decodePattern(message, tables), body: decodeExpr(message.message(1), tables) }
}

function decodePattern(message: Message, tables: Tables): Pattern {
  const member = message.which(patterns)
  const part = (): Message => message.message(member ?? 0)
  switch (member) {
    case 2:
      return { kind: 'default' }
    case 3:
      return {
        kind: 'variant',
        id: tables.identifier(part().message(1)),
        constructor: tables.string(part().int32(2)),
        binder: tables.string(part().int32(3)),
      }
    case 4:
      return builtinCon(message.int32(4))
    case 5:
      return { kind: 'nil' }
    case 6:
      return { kind: 'cons', head: tables.string(part().int32(1)), tail: tables.string(part().int32(2)) }
    case 7:
      return { kind: 'none' }
    case 8:
      return { kind: 'some', binder: tables.string(part().int32(1)) }
    case 9:
      return {
        kind: 'enum',
        id: tables.identifier(part().message(1)),
        constructor: tables.string(part().int32(2)),
      }
    default:
      throw malformed('an alternative has an unknown kind')
  }
}
