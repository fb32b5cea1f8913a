/** Contracts seen as interfaces: the record with its template. */
import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { Expr } from '../language/expressions.js'
import type { Template } from '../language/package.js'
import { printType, type Type } from '../language/types.js'
import type { Evaluator } from './evaluator.js'
import { illTyped } from './failures.js'
import { sameIdentifier } from './program.js'
import { AnyValue, Environment, type Next, none, SomeValue, TypeRepValue, type Value } from './values.js'

/** The value of an Any, if it is of the type. */
export function fromAny(value: Value, type: Type): Value {
  if (!(value instanceof AnyValue)) return illTyped('what should be an Any is none')
  return printType(value.type) === printType(type) ? new SomeValue(value.value) : none
}

const templateType = (id: DamlIdentifier): Type => ({ kind: 'con', id, args: [] })

export const toInterface = (contract: Value, template: DamlIdentifier): AnyValue =>
  new AnyValue(templateType(template), contract)

/** The contract and its template. */
function contractIn(value: Value | undefined): { contract: AnyValue; template: DamlIdentifier } {
  if (!(value instanceof AnyValue) || value.type.kind !== 'con') return illTyped('what should be a contract is none')
  return { contract: value, template: value.type.id }
}

/** The contract as the template, in whatever version of its package it was created. */
export function fromInterface(value: Value, wanted: DamlIdentifier, machine: Evaluator): Value {
  const { contract, template } = contractIn(value)
  if (sameIdentifier(template, wanted)) return new SomeValue(contract.value)
  if (template.module !== wanted.module || template.entity !== wanted.entity) return none
  if (!machine.effects.isVersionOf(template, wanted)) return none
  return new SomeValue(machine.effects.upgradeContract(contract, wanted))
}

export function fromRequiredInterface(value: Value, wanted: DamlIdentifier, machine: Evaluator): Value {
  const { contract, template } = contractIn(value)
  return machine.program.instance(template, wanted) ? new SomeValue(contract) : none
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

export function callMethod(value: Value, of: DamlIdentifier, name: string, machine: Evaluator): Next {
  const { contract, template } = contractIn(value)
  const method = machine.program.instance(template, of)?.methods.get(name)
  return onContract(contract, machine.program.template(template), method, machine)
}

export function viewOf(value: Value, of: DamlIdentifier, machine: Evaluator): Next {
  const { contract, template } = contractIn(value)
  const view = machine.program.instance(template, of)?.view
  return onContract(contract, machine.program.template(template), view, machine)
}

export function signatoriesOf(value: Value, machine: Evaluator): Next {
  const { contract, template } = contractIn(value)
  const definition = machine.program.template(template)
  return onContract(contract, definition, definition.signatories, machine)
}

export function observersOf(value: Value, machine: Evaluator): Next {
  const { contract, template } = contractIn(value)
  const definition = machine.program.template(template)
  return onContract(contract, definition, definition.observers, machine)
}

/** Goes on with an expression of the template, which knows the contract by the name of its parameter. */
function onContract({ value }: AnyValue, { param, id }: Template, expr: Expr | undefined, machine: Evaluator): Next {
  if (!expr) return illTyped(`${id.module}:${id.entity} does not implement an interface as which it is seen`)
  return machine.evaluate(expr, new Environment(param, value, undefined))
}

export const templateOf = (value: Value): Value => new TypeRepValue(templateType(contractIn(value).template))
