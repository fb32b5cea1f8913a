import { builtinTypes, type FieldType, type Type } from '../language/types.js'
import { apply } from '../schema/substitute.js'
import { malformed } from './archive-error.js'
import type { Tables } from './tables.js'
import type { Message } from './wire.js'

const members: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9])

/** By their protobuf numbers; 12 is unused. */
const builtins = new Map(builtinTypes.map((name, index) => [index < 12 ? index : index + 1, name]))

/** Throws `ArchiveError`. */
export function decodeType(message: Message, tables: Tables): Type {
  const args = (of: Message): Type[] => of.messages(2).map((arg) => decodeType(arg, tables))
  switch (message.which(members)) {
    case 1: {
      const variable = message.message(1)
      return { kind: 'var', name: tables.string(variable.int32(3)), args: args(variable) }
    }
    case 2: {
      const constructed = message.message(2)
      return { kind: 'con', id: tables.identifier(constructed.message(1)), args: args(constructed) }
    }
    case 3: {
      const builtin = message.message(3)
      const number = builtin.int32(1)
      const name = builtins.get(number)
      if (!name) throw malformed(`builtin type ${number} is not known`)
      return { kind: 'builtin', name, args: args(builtin) }
    }
    case 4: {
      const forall = message.message(4)
      return {
        kind: 'forall',
        params: decodeTypeVars(forall.messages(1), tables),
        body: decodeType(forall.message(2), tables),
      }
    }
    case 5:
      return { kind: 'struct', fields: decodeFieldTypes(message.message(5).messages(1), tables) }
    case 6: {
      const value = Number(message.sint64(6))
      if (value < 0 || value > 37) throw malformed(`a scale of ${value} is not between 0 and 37`)
      return { kind: 'nat', value }
    }
    case 7: {
      const synonym = message.message(7)
      return { kind: 'syn', id: tables.identifier(synonym.message(1)), args: args(synonym) }
    }
    case 8:
      return tables.type(message.int32(8))
    case 9: {
      const application = message.message(9)
      return apply(decodeType(application.message(1), tables), decodeType(application.message(2), tables))
    }
    default:
      throw malformed('a type has an unknown kind')
  }
}

export const decodeTypeVars = (messages: readonly Message[], tables: Tables): string[] =>
  messages.map((variable) => tables.string(variable.int32(3)))

export const decodeFieldTypes = (messages: readonly Message[], tables: Tables): FieldType[] =>
  messages.map((field) => [tables.string(field.int32(3)), decodeType(field.message(2), tables)])
