import type { DamlIdentifier } from '../../interface/daml-value.js'
import { tuple2 } from '../language/builtins.js'
import type { Update } from '../language/expressions.js'
import type { Type } from '../language/types.js'
import { wrong } from './lf-type-error.js'
import * as types from './make-types.js'
import { shownType } from './shown.js'
import { type Inference, type Scope, type Typing, withTerm } from './typing.js'

export function* inferUpdate(update: Update, scope: Scope, typing: Typing): Inference {
  switch (update.kind) {
    case 'pure': {
      const type = typing.type(update.type, scope)
      yield* typing.expect(update.value, type, scope)
      return types.update(type)
    }
    case 'bind': {
      const type = typing.type(update.type, scope)
      yield* typing.expect(update.bound, types.update(type), scope)
      return updateIn(yield typing.infer(update.body, withTerm(scope, update.name, type), typing))
    }
    case 'embed': {
      const type = types.update(typing.type(update.type, scope))
      yield* typing.expect(update.body, type, scope)
      return type
    }
    case 'tryCatch': {
      const type = types.update(typing.type(update.type, scope))
      yield* typing.expect(update.body, type, scope)
      const inner = withTerm(scope, update.binder, types.anyException)
      yield* typing.expect(update.handler, types.optional(type), inner)
      return type
    }
    case 'getTime':
      return types.update(types.timestamp)
    case 'ledgerTimeLt':
      yield* typing.expect(update.time, types.timestamp, scope)
      return types.update(types.bool)
    default:
      return yield inferEffect(update, scope, typing)
  }
}

const updateIn = (type: Type): Type =>
  type.kind === 'builtin' && type.name === 'Update'
    ? type
    : wrong(`a value of the type ${shownType(type)} is run as an update`)

type Effect = Exclude<Update, { kind: 'pure' | 'bind' | 'embed' | 'tryCatch' | 'getTime' | 'ledgerTimeLt' }>

function* inferEffect(update: Effect, scope: Scope, typing: Typing): Inference {
  const { program } = typing
  switch (update.kind) {
    case 'create':
      program.template(update.template)
      yield* typing.expect(update.argument, types.con(update.template), scope)
      return types.update(types.contractId(update.template))
    case 'createInterface':
      program.interface(update.interface)
      yield* typing.expect(update.argument, types.con(update.interface), scope)
      return types.update(types.contractId(update.interface))
    case 'exercise': {
      const choice = program.choice(program.template(update.template), update.choice)
      yield* typing.expect(update.contractId, types.contractId(update.template), scope)
      yield* typing.expect(update.argument, typing.normal.of(choice.argument.type), scope)
      return types.update(typing.normal.of(choice.result))
    }
    case 'exerciseInterface': {
      const choice = program.choice(program.interface(update.interface), update.choice)
      yield* typing.expect(update.contractId, types.contractId(update.interface), scope)
      yield* typing.expect(update.argument, typing.normal.of(choice.argument.type), scope)
      return types.update(typing.normal.of(choice.result))
    }
    case 'exerciseByKey': {
      const choice = program.choice(program.template(update.template), update.choice)
      yield* typing.expect(update.key, keyOf(update.template, typing), scope)
      yield* typing.expect(update.argument, typing.normal.of(choice.argument.type), scope)
      return types.update(typing.normal.of(choice.result))
    }
    case 'fetch':
      program.template(update.template)
      yield* typing.expect(update.contractId, types.contractId(update.template), scope)
      return types.update(types.con(update.template))
    case 'fetchInterface':
      program.interface(update.interface)
      yield* typing.expect(update.contractId, types.contractId(update.interface), scope)
      return types.update(types.con(update.interface))
    case 'fetchByKey':
      return types.arrow(keyOf(update.template, typing), types.update(pairOf(update.template)))
    case 'queryByKey': {
      const found = types.update(types.optional(types.list(pairOf(update.template))))
      return types.arrow(types.int64, types.arrow(keyOf(update.template, typing), found))
    }
  }
}

function keyOf(template: DamlIdentifier, typing: Typing): Type {
  const { key } = typing.program.template(template)
  return key ? typing.normal.of(key.type) : wrong(`${template.module}:${template.entity} has no keys`)
}

const pairOf = (template: DamlIdentifier): Type => types.con(tuple2, [types.contractId(template), types.con(template)])
