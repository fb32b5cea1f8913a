/** All functions throw as `Typing` does. */
import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { Choice, DataType, Interface, InterfaceInstance, Template } from '../language/package.js'
import type { BuiltinType, Type } from '../language/types.js'
import { type Program, sameIdentifier } from '../machine/program.js'
import { within, wrong } from './lf-type-error.js'
import { arrow, bool, con, contractId, parties, update } from './make-types.js'
import { shownType } from './shown.js'
import { nothingKnown, type Scope, type Typing, withTerm } from './typing.js'

export function checkTemplate(template: Template, typing: Typing): void {
  const { id, param, precondition, signatories, observers, key } = template
  const scope = withTerm(nothingKnown, param, con(id))
  within('precondition', () => typing.demand(precondition, bool, scope))
  within('signatories', () => typing.demand(signatories, parties, scope))
  within('observers', () => typing.demand(observers, parties, scope))
  for (const choice of template.choices.values()) checkChoice(choice, id, scope, typing)
  for (const instance of template.implements) {
    within(`instance of ${instance.interface.entity}`, () => checkInstance(instance, template, scope, typing))
  }
  if (!key) return
  within('key', () => {
    const type = typing.type(key.type, nothingKnown)
    demandSerializable(type, typing, 'the key')
    typing.demand(key.value, type, scope)
    typing.demand(key.maintainers, arrow(type, parties), nothingKnown)
  })
}

function checkChoice(choice: Choice, of: DamlIdentifier, scope: Scope, typing: Typing): void {
  within(`choice ${choice.name}`, () => {
    const argument = typing.type(choice.argument.type, nothingKnown)
    const result = typing.type(choice.result, nothingKnown)
    demandSerializable(argument, typing, 'the argument')
    demandSerializable(result, typing, 'the result')
    const inner = withTerm(scope, choice.argument.name, argument)
    within('controllers', () => typing.demand(choice.controllers, parties, inner))
    within('observers', () => typing.demand(choice.observers, parties, inner))
    const whole = withTerm(withTerm(scope, choice.self, contractId(of)), choice.argument.name, argument)
    within('update', () => typing.demand(choice.update, update(result), whole))
  })
}

function checkInstance(instance: InterfaceInstance, { id }: Template, scope: Scope, typing: Typing): void {
  const definition = typing.program.interface(instance.interface)
  const missing = definition.requires.find((required) => !typing.program.instance(id, required))
  if (missing) wrong(`the required interface ${missing.entity} is not implemented`)
  for (const name of definition.methods.keys()) if (!instance.methods.has(name)) wrong(`method ${name} is missing`)
  for (const [name, body] of instance.methods) {
    const type = definition.methods.get(name)
    if (!type) wrong(`the interface has no method ${name}`)
    else within(`method ${name}`, () => typing.demand(body, typing.normal.of(type), scope))
  }
  within('view', () => typing.demand(instance.view, typing.normal.of(definition.view), scope))
}

export function checkInterface({ id, param, requires, view, methods, choices }: Interface, typing: Typing): void {
  if (requires.some((required) => sameIdentifier(required, id))) wrong('the interface requires itself')
  for (const required of requires) {
    const further = typing.program.interface(required).requires
    const open = further.find((other) => !requires.some((one) => sameIdentifier(one, other)))
    if (open)
      wrong(`the interface requires ${required.entity}, but not ${open.entity}, which ${required.entity} requires`)
  }
  for (const [name, type] of methods) within(`method ${name}`, () => typing.kinds.demandStar(type, undefined))
  if (view.kind !== 'con' || view.args.length > 0 || !isRecord(view.id, typing.program))
    wrong('the view is not a record')
  within('view', () => demandSerializable(view, typing, 'the view'))
  const scope = withTerm(nothingKnown, param, con(id))
  for (const choice of choices.values()) checkChoice(choice, id, scope, typing)
}

function isRecord(id: DamlIdentifier, program: Program): boolean {
  const { kind, params } = program.dataType(id)
  return kind === 'record' && params.length === 0
}

const storable: ReadonlySet<BuiltinType> = new Set([
  ...(['Unit', 'Bool', 'Int64', 'Date', 'Timestamp', 'Numeric', 'Party', 'Text'] as const),
  ...(['Optional', 'List', 'GenMap', 'TextMap'] as const),
])

/** Storable if its type arguments are. */
export function demandSerializableData(data: DataType, typing: Typing): void {
  if (data.kind === 'interface') wrong('values of interfaces cannot be stored')
  if (data.kind === 'enum') return
  const parts = data.kind === 'record' ? data.fields : data.constructors
  for (const [name, type] of parts) demandSerializable(type, typing, `part ${name}`)
}

export function demandSerializable(type: Type, typing: Typing, what: string): void {
  const found = typing.normal.of(type)
  if (!isSerializable(found, typing, 0)) wrong(`${what} has the type ${shownType(found)}, which cannot be stored`)
}

function isSerializable(type: Type, typing: Typing, depth: number): boolean {
  typing.work.visit(depth)
  switch (type.kind) {
    case 'nat':
    case 'var':
      return true
    case 'builtin':
      // Stored as an id, for any template.
      if (type.name === 'ContractId' && type.args[0]?.kind === 'con') return true
      return (storable.has(type.name) || type.name === 'ContractId') && areSerializable(type.args, typing, depth)
    case 'con':
      return typing.program.dataType(type.id).serializable && areSerializable(type.args, typing, depth)
    default:
      return false
  }
}

const areSerializable = (types: readonly Type[], typing: Typing, depth: number): boolean =>
  types.every((type) => isSerializable(type, typing, depth + 1))
