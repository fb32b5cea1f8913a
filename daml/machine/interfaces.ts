/** A contract seen as an interface: the record with its template. */
import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { Expr } from '../language/expressions.js'
import type { Template } from '../language/package.js'
import { printType, type Type } from '../language/types.js'
import type { Evaluator } from './evaluator.js'
import { illTyped } from './failures.js'
import { sameIdentifier } from './program.js'
import { type AnyValue, Environment, type Next, none, type Value } from './values.js'

/** None for another type. */
export function fromAny(value: Value, type: Type): Value {
  if (typeof value !== 'object' || value.kind !== 'any') return illTyped('the value is not an Any')
  return printType(value.type) === printType(type) ? { kind: 'some', value: value.value } : none
}

const templateType = (id: DamlIdentifier): Type => ({ kind: 'con', id, args: [] })

export const toInterface = (contract: Value, template: DamlIdentifier): AnyValue => ({
  kind: 'any',
  type: templateType(template),
  value: contract,
})

export function contractIn(value: Value | undefined): { contract: AnyValue; template: DamlIdentifier } {
  if (typeof value !== 'object' || value.kind !== 'any' || value.type.kind !== 'con')
    return illTyped('the value is not a contract')
  return { contract: value, template: value.type.id }
}

/** Accepts any version of the template's package. */
export function fromInterface(value: Value, wanted: DamlIdentifier, machine: Evaluator): Value {
  const { contract, template } = contractIn(value)
  if (sameIdentifier(template, wanted)) return { kind: 'some', value: contract.value }
  if (template.module !== wanted.module || template.entity !== wanted.entity) return none
  if (!machine.effects.isVersionOf(template, wanted)) return none
  return { kind: 'some', value: machine.effects.upgradeContract(contract, wanted) }
}

export function fromRequiredInterface(value: Value, wanted: DamlIdentifier, machine: Evaluator): Value {
  const { contract, template } = contractIn(value)
  return machine.program.instance(template, wanted) ? { kind: 'some', value: contract } : none
}

export function unsafeFromInterface(
  id: Value | undefined,
  value: Value | undefined,
  wanted: DamlIdentifier,
  machine: Evaluator,
): Value {
  const { contract, template } = contractIn(value)
  if (sameIdentifier(template, wanted)) return contract.value
  throw machine.effects.notImplemented(String(id), contract, wanted)
}

export function unsafeFromRequiredInterface(
  id: Value | undefined,
  value: Value | undefined,
  wanted: DamlIdentifier,
  machine: Evaluator,
): Value {
  const { contract, template } = contractIn(value)
  if (machine.program.instance(template, wanted)) return contract
  throw machine.effects.notImplemented(String(id), contract, wanted)
}

export const callMethod = (value: Value, of: DamlIdentifier, name: string, machine: Evaluator): Next =>
  onContract(value, machine, ({ id }) => machine.program.instance(id, of)?.methods.get(name))

export const viewOf = (value: Value, of: DamlIdentifier, machine: Evaluator): Next =>
  onContract(value, machine, ({ id }) => machine.program.instance(id, of)?.view)

/** Evaluates an expression of the template, with the contract as its parameter. */
export function onContract(value: Value, machine: Evaluator, exprOf: (of: Template) => Expr | undefined): Next {
  const { contract, template } = contractIn(value)
  const definition = machine.program.template(template)
  const expr = exprOf(definition)
  if (!expr) return illTyped(`${template.module}:${template.entity} does not implement the interface`)
  return machine.evaluate(expr, new Environment(definition.param, contract.value, undefined))
}

export const templateOf = (value: Value): Value => ({ kind: 'typeRep', type: templateType(contractIn(value).template) })
