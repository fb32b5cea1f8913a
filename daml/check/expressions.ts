/** All functions throw as `Typing` does. */
import type { Expr } from '../language/expressions.js'
import { partsOfType, type Type } from '../language/types.js'
import { typeOfBuiltin } from './builtin-types.js'
import { inferCase } from './cases.js'
import { inferData } from './data.js'
import { inferInterface } from './interface-terms.js'
import { withParams } from './kinds.js'
import { wrong } from './lf-type-error.js'
import * as types from './make-types.js'
import { shownType } from './shown.js'
import { type Inference, type Inferred, type Scope, type Typing, withTerm } from './typing.js'
import { inferUpdate } from './updates.js'

export const infer = (expr: Expr, scope: Scope, typing: Typing): Inferred =>
  atom(expr, scope, typing) ?? inferComposite(expr, scope, typing)

function* inferComposite(expr: Expr, scope: Scope, typing: Typing): Inference {
  switch (expr.kind) {
    case 'app': {
      let type = yield infer(expr.fun, scope, typing)
      for (const arg of expr.args) {
        const { from, to } = functionIn(type)
        yield* typing.expect(arg, from, scope)
        type = to
      }
      return type
    }
    case 'abs': {
      const params = expr.types.map((type) => typing.type(type, scope))
      const inner = params.reduce((outer, type, index) => withTerm(outer, expr.params[index] ?? '', type), scope)
      return params.reduceRight((to, from) => types.arrow(from, to), yield infer(expr.body, inner, typing))
    }
    case 'tyApp':
      return instance(yield infer(expr.body, scope, typing), expr.types, scope, typing)
    case 'tyAbs': {
      typing.kinds.demandKinds(expr.params)
      const inner = { types: withParams(expr.params, scope.types), terms: scope.terms }
      return types.forall(expr.params, yield infer(expr.body, inner, typing))
    }
    case 'let': {
      const type = typing.type(expr.type, scope)
      yield* typing.expect(expr.bound, type, scope)
      return yield infer(expr.body, withTerm(scope, expr.name, type), typing)
    }
    case 'case':
      return yield inferCase(expr, scope, typing)
    case 'cons': {
      const type = typing.type(expr.type, scope)
      for (const item of expr.front) yield* typing.expect(item, type, scope)
      yield* typing.expect(expr.tail, types.list(type), scope)
      return types.list(type)
    }
    case 'some': {
      const type = typing.type(expr.type, scope)
      yield* typing.expect(expr.value, type, scope)
      return types.optional(type)
    }
    case 'toAny':
      yield* typing.expect(expr.value, anyOf(expr.type, expr.any, typing), scope)
      return expr.any === 'Any' ? types.any : types.anyException
    case 'fromAny':
      yield* typing.expect(expr.value, expr.any === 'Any' ? types.any : types.anyException, scope)
      return types.optional(anyOf(expr.type, expr.any, typing))
    case 'throw': {
      const result = typing.type(expr.result, scope)
      yield* typing.expect(expr.value, anyOf(expr.type, 'AnyException', typing), scope)
      return result
    }
    case 'update':
      return yield inferUpdate(expr.update, scope, typing)
    case 'recCon':
    case 'recProj':
    case 'recUpd':
    case 'variantCon':
    case 'structCon':
    case 'structProj':
    case 'structUpd':
      return yield inferData(expr, scope, typing)
    default:
      return yield inferInterface(expr, scope, typing)
  }
}

function atom(expr: Expr, scope: Scope, typing: Typing): Type | undefined {
  switch (expr.kind) {
    case 'var':
      return variable(expr.name, scope, typing)
    case 'val':
      return typing.normal.of(typing.program.value(expr.id).type)
    case 'builtin':
      return typing.normal.of(typeOfBuiltin(expr.name))
    case 'unit':
      return types.unit
    case 'bool':
      return types.bool
    case 'int64':
      return types.int64
    case 'category':
      return types.failureCategory
    case 'numeric':
      return types.builtin('Numeric', { kind: 'nat', value: expr.text.length - 1 - expr.text.indexOf('.') })
    case 'text':
      return types.text
    case 'timestamp':
      return types.timestamp
    case 'date':
      return types.date
    case 'enumCon': {
      const data = typing.program.dataType(expr.id)
      if (data.kind === 'enum' && data.constructors.includes(expr.constructor)) return types.con(expr.id)
      return wrong(`${expr.id.module}:${expr.id.entity} is not an enum with the constructor ${expr.constructor}`)
    }
    case 'nil':
      return types.list(typing.type(expr.type, scope))
    case 'none':
      return types.optional(typing.type(expr.type, scope))
    case 'typeRep':
      anyOf(expr.type, 'Any', typing)
      return types.typeRep
    default:
      return undefined
  }
}

function variable(name: string, { terms }: Scope, typing: Typing): Type {
  for (let place = terms; place; place = place.outer) {
    typing.work.spend(1)
    if (place.name === name) return place.type
  }
  return wrong(`variable ${name} is not known`)
}

function functionIn(type: Type): { from: Type; to: Type } {
  const [from, to] = type.kind === 'builtin' && type.name === 'Arrow' ? type.args : []
  return from && to ? { from, to } : wrong(`a value of the type ${shownType(type)} is applied as a function`)
}

function instance(of: Type, args: readonly Type[], scope: Scope, typing: Typing): Type {
  let [type, rest] = [of, args]
  while (rest.length > 0) {
    if (type.kind !== 'forall') return wrong(`a value of the type ${shownType(type)} is applied to a type`)
    const { params, body } = type
    const taken = params.slice(0, rest.length)
    const variables = new Map(
      taken.map(([name, kind], index) => {
        const arg = rest[index] ?? body
        typing.kinds.demand(arg, kind, scope.types)
        return [name, typing.normal.of(arg)]
      }),
    )
    const left = params.slice(taken.length)
    type = typing.normal.substitute(left.length > 0 ? types.forall(left, body) : body, variables)
    rest = rest.slice(taken.length)
  }
  return type
}

/** A type that a value carries: without variables and quantifiers, or for AnyException an exception. */
function anyOf(type: Type, any: 'Any' | 'AnyException', typing: Typing): Type {
  if (any === 'AnyException') {
    if (type.kind !== 'con' || type.args.length > 0) return wrong(`${shownType(type)} is not an exception type`)
    typing.program.exception(type.id)
    return type
  }
  demandPlain(type, typing, 0)
  return typing.type(type, { types: undefined, terms: undefined })
}

function demandPlain(type: Type, typing: Typing, depth: number): void {
  typing.work.visit(depth)
  if (type.kind === 'forall' || type.kind === 'syn') wrong(`values cannot carry the type ${shownType(type)}`)
  for (const part of partsOfType(type)) demandPlain(part, typing, depth + 1)
}
