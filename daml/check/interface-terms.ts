import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { Expr } from '../language/expressions.js'
import { sameIdentifier } from '../machine/program.js'
import { wrong } from './lf-type-error.js'
import * as types from './make-types.js'
import type { Inference, Scope, Typing } from './typing.js'

type InterfaceExpr = Extract<Expr, { interface: DamlIdentifier } | { requiring: DamlIdentifier }>

export function* inferInterface(expr: Expr, scope: Scope, typing: Typing): Inference {
  if ('requiring' in expr) return yield inferRequired(expr, scope, typing)
  if (!('interface' in expr)) return wrong(`an expression (${expr.kind}) has no type`)
  const { interface: of } = expr
  const definition = typing.program.interface(of)
  if ('template' in expr) return yield inferConversion(expr, scope, typing)
  yield* typing.expect(expr.value, types.con(of), scope)
  switch (expr.kind) {
    case 'callInterface': {
      const method = definition.methods.get(expr.method)
      return method ? typing.normal.of(method) : wrong(`${of.module}:${of.entity} has no method ${expr.method}`)
    }
    case 'viewInterface':
      return typing.normal.of(definition.view)
    case 'signatoryInterface':
    case 'observerInterface':
      return types.parties
    case 'interfaceTemplateTypeRep':
      return types.typeRep
  }
}

function* inferConversion(
  expr: Extract<InterfaceExpr, { template: DamlIdentifier }>,
  scope: Scope,
  typing: Typing,
): Inference {
  const { interface: of, template } = expr
  if (!typing.program.instance(template, of)) {
    return wrong(`${template.module}:${template.entity} does not implement ${of.module}:${of.entity}`)
  }
  if (expr.kind === 'toInterface') {
    yield* typing.expect(expr.value, types.con(template), scope)
    return types.con(of)
  }
  if (expr.kind === 'unsafeFromInterface') yield* typing.expect(expr.contractId, types.contractId(of), scope)
  yield* typing.expect(expr.value, types.con(of), scope)
  return expr.kind === 'fromInterface' ? types.optional(types.con(template)) : types.con(template)
}

function* inferRequired(
  expr: Extract<InterfaceExpr, { requiring: DamlIdentifier }>,
  scope: Scope,
  typing: Typing,
): Inference {
  const { required, requiring } = expr
  if (!typing.program.interface(requiring).requires.some((id) => sameIdentifier(id, required))) {
    return wrong(`${requiring.module}:${requiring.entity} does not require ${required.module}:${required.entity}`)
  }
  if (expr.kind === 'toRequiredInterface') {
    yield* typing.expect(expr.value, types.con(requiring), scope)
    return types.con(required)
  }
  if (expr.kind === 'unsafeFromRequiredInterface') {
    yield* typing.expect(expr.contractId, types.contractId(required), scope)
  }
  yield* typing.expect(expr.value, types.con(required), scope)
  return expr.kind === 'fromRequiredInterface' ? types.optional(types.con(requiring)) : types.con(requiring)
}
