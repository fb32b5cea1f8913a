import type { Expr, FieldExpr, Update } from '../language/expressions.js'
import { builtins } from './builtins/builtins.js'
import type { Evaluator, Frame } from './evaluator.js'
import { illTyped } from './failures.js'
import { binding, choosing, collecting, remembering } from './frames.js'
import * as interfaces from './interfaces.js'
import { parseNumeric } from './numeric.js'
import {
  type Environment,
  hostFunction,
  listOf,
  lookUp,
  type Next,
  nil,
  none,
  type RecordValue,
  type StructValue,
  unit,
  type Value,
} from './values.js'

/** Undefined if the machine must continue. */
export function evaluateExpr(expr: Expr, environment: Environment | undefined, machine: Evaluator): Next {
  const known = atom(expr, environment, machine)
  if (known !== undefined) return known
  switch (expr.kind) {
    case 'app':
      return evaluateApplication(expr.fun, expr.args, environment, machine)
    case 'let':
      machine.push(binding(expr.name, expr.body, environment))
      return machine.evaluate(expr.bound, environment)
    case 'case':
      machine.push(choosing(expr.alternatives, environment))
      return machine.evaluate(expr.scrutinee, environment)
    case 'val':
      machine.push(remembering(expr.id))
      return machine.evaluate(machine.program.value(expr.id).body, undefined)
    case 'recCon':
    case 'recProj':
    case 'recUpd':
    case 'structCon':
    case 'structProj':
    case 'structUpd':
      return evaluateFields(expr, environment, machine)
    case 'variantCon':
    case 'some':
    case 'toAny':
    case 'fromAny':
    case 'throw':
      return evaluateAround(expr, environment, machine)
    case 'cons':
      return collect([...expr.front, expr.tail], environment, machine, cons)
    default:
      return evaluateInterface(expr, environment, machine)
  }
}

type AroundExpr = Extract<Expr, { kind: 'variantCon' | 'some' | 'toAny' | 'fromAny' | 'throw' }>

// Separate, because closures make each call allocate their scope.
function evaluateAround(expr: AroundExpr, environment: Environment | undefined, machine: Evaluator): Next {
  switch (expr.kind) {
    case 'variantCon':
      return one(expr.value, environment, machine, (value) => {
        const rank = machine.program.rank(expr.id, expr.constructor)
        return { kind: 'variant', id: expr.id, constructorName: expr.constructor, rank, value }
      })
    case 'some':
      return one(expr.value, environment, machine, some)
    case 'toAny':
      return one(expr.value, environment, machine, (value) => ({ kind: 'any', type: expr.type, value }))
    case 'fromAny':
      return one(expr.value, environment, machine, (value) => interfaces.fromAny(value, expr.type))
    case 'throw':
      return one(expr.value, environment, machine, (value) => machine.raise({ kind: 'any', type: expr.type, value }))
  }
}

const some = (value: Value): Value => ({ kind: 'some', value })

function cons(values: Value[]): Value {
  const tail = values.pop()
  if (typeof tail !== 'object' || (tail.kind !== 'nil' && tail.kind !== 'cons')) {
    return illTyped('the tail of a list is not a list')
  }
  return listOf(values, tail)
}

/** A value without evaluation. */
function atom(expr: Expr, environment: Environment | undefined, machine: Evaluator): Value | undefined {
  switch (expr.kind) {
    case 'var':
      return lookUp(expr.name, environment) ?? illTyped(`variable ${expr.name} is not bound`)
    case 'val':
      return machine.program.computed(expr.id)
    case 'builtin':
      return builtins[expr.name]
    case 'abs':
      return { kind: 'closure', params: expr.params, body: expr.body, environment }
    case 'unit':
      return unit
    case 'bool':
    case 'int64':
    case 'text':
    case 'category':
      return expr.value
    case 'timestamp':
      return expr.micros
    case 'date':
      return expr.days
    case 'numeric':
      return parseNumeric(expr.text)
    case 'enumCon':
      return {
        kind: 'enum',
        id: expr.id,
        constructorName: expr.constructor,
        rank: machine.program.rank(expr.id, expr.constructor),
      }
    case 'nil':
      return nil
    case 'none':
      return none
    case 'typeRep':
      return { kind: 'typeRep', type: expr.type }
    case 'update':
      return expr.update.kind === 'fetchByKey' || expr.update.kind === 'queryByKey'
        ? updateByKey(expr.update, machine)
        : { kind: 'update', update: expr.update, environment }
    default:
      return undefined
  }
}

type UpdateByKey = Extract<Update, { kind: 'fetchByKey' | 'queryByKey' }>

function updateByKey(update: UpdateByKey, machine: Evaluator): Value {
  if (update.kind === 'fetchByKey') {
    return hostFunction(1, ([key]) => ({
      kind: 'task',
      start: () => machine.effects.fetchByKey(update.template, key ?? illTyped('an update by key lacks its key')),
    }))
  }
  return hostFunction(2, ([count, key]) => ({
    kind: 'task',
    start: () =>
      typeof count === 'bigint'
        ? machine.effects.queryByKey(update.template, count, key ?? illTyped('an update by key lacks its key'))
        : illTyped('a query by key has no number of contracts'),
  }))
}

function evaluateApplication(
  fun: Expr,
  args: readonly Expr[],
  environment: Environment | undefined,
  machine: Evaluator,
): Next {
  const known = atom(fun, environment, machine)
  if (known !== undefined) return applyTo(known, args, environment, machine)
  machine.push(withArguments(args, environment))
  return machine.evaluate(fun, environment)
}

const withArguments = (args: readonly Expr[], environment: Environment | undefined): Frame => ({
  resume: (fun, machine) => applyTo(fun, args, environment, machine),
})

function applyTo(fun: Value, args: readonly Expr[], environment: Environment | undefined, machine: Evaluator): Next {
  return collect(args, environment, machine, (values) => machine.apply(fun, values))
}

/** Evaluates in order, then calls `done`. */
export function collect(
  exprs: readonly Expr[],
  environment: Environment | undefined,
  machine: Evaluator,
  done: (values: Value[], machine: Evaluator) => Next,
): Next {
  const values: Value[] = []
  for (const expr of exprs) {
    const known = atom(expr, environment, machine)
    if (known === undefined) {
      machine.push(collecting(exprs, environment, values, done))
      return machine.evaluate(expr, environment)
    }
    values.push(known)
  }
  return done(values, machine)
}

function one(expr: Expr, environment: Environment | undefined, machine: Evaluator, done: (value: Value) => Next): Next {
  const known = atom(expr, environment, machine)
  if (known !== undefined) return done(known)
  machine.push({ resume: done })
  return machine.evaluate(expr, environment)
}

type FieldsExpr = Extract<Expr, { kind: 'recCon' | 'recProj' | 'recUpd' | 'structCon' | 'structProj' | 'structUpd' }>

function evaluateFields(expr: FieldsExpr, environment: Environment | undefined, machine: Evaluator): Next {
  switch (expr.kind) {
    case 'recCon':
      return makeRecord(expr, environment, machine)
    case 'recProj':
      return one(expr.record, environment, machine, (record) => {
        const { layout, fields } = recordIn(record)
        return fields[layout.position.get(expr.field) ?? -1] ?? noField(expr.field)
      })
    case 'recUpd':
      return collect([expr.record, expr.value], environment, machine, ([record, value]) => {
        const { layout, fields } = recordIn(record)
        const position = layout.position.get(expr.field)
        if (position === undefined || value === undefined) return noField(expr.field)
        return { kind: 'record', layout, fields: fields.with(position, value) }
      })
    case 'structCon':
      return collect(valuesOf(expr.fields), environment, machine, (values) => structOf(expr.fields, values))
    case 'structProj':
      return one(expr.struct, environment, machine, (struct) => {
        const { labels, fields } = structIn(struct)
        return fields[labels.indexOf(expr.field)] ?? noField(expr.field)
      })
    case 'structUpd':
      return collect([expr.struct, expr.value], environment, machine, ([struct, value]) => {
        const { labels, fields } = structIn(struct)
        const position = labels.indexOf(expr.field)
        if (position < 0 || value === undefined) return noField(expr.field)
        return { kind: 'struct', labels, fields: fields.with(position, value) }
      })
  }
}

type RecordExpr = Extract<Expr, { kind: 'recCon' }>

function makeRecord({ id, fields }: RecordExpr, environment: Environment | undefined, machine: Evaluator): Next {
  const layout = machine.program.layout(id)
  return collect(valuesOf(fields), environment, machine, (values) => {
    if (fields.every(([label], index) => label === layout.labels[index]))
      return { kind: 'record', layout, fields: values }
    const given = new Map(fields.map(([label], index) => [label, values[index]]))
    return { kind: 'record', layout, fields: layout.labels.map((label) => given.get(label) ?? noField(label)) }
  })
}

function structOf(given: readonly FieldExpr[], values: readonly Value[]): StructValue {
  const labels = given.map(([label]) => label)
  const order = labels.map((_, index) => index).sort((a, b) => ((labels[a] ?? '') < (labels[b] ?? '') ? -1 : 1))
  const pick = <T>(items: readonly T[]): T[] => order.flatMap((index) => items[index] ?? [])
  return { kind: 'struct', labels: pick(labels), fields: order.map((index) => values[index] ?? noField('')) }
}

const valuesOf = (fields: readonly (readonly [string, Expr])[]): Expr[] => fields.map(([, value]) => value)

function noField(label: string): never {
  return illTyped(`field ${label} does not exist`)
}

function recordIn(value: Value | undefined): RecordValue {
  return typeof value === 'object' && value.kind === 'record' ? value : illTyped('the value is not a record')
}

function structIn(value: Value | undefined): StructValue {
  return typeof value === 'object' && value.kind === 'struct' ? value : illTyped('the value is not a struct')
}

type InterfaceExpr = Exclude<
  Expr,
  FieldsExpr | { kind: 'app' | 'let' | 'case' | 'val' | 'variantCon' | 'cons' | 'some' | 'toAny' | 'fromAny' | 'throw' }
>

function evaluateInterface(expr: InterfaceExpr, environment: Environment | undefined, machine: Evaluator): Next {
  switch (expr.kind) {
    case 'toInterface':
      return one(expr.value, environment, machine, (contract) => interfaces.toInterface(contract, expr.template))
    case 'toRequiredInterface':
      return machine.evaluate(expr.value, environment)
    case 'fromInterface':
      return one(expr.value, environment, machine, (contract) =>
        interfaces.fromInterface(contract, expr.template, machine),
      )
    case 'fromRequiredInterface':
      return one(expr.value, environment, machine, (contract) =>
        interfaces.fromRequiredInterface(contract, expr.requiring, machine),
      )
    case 'unsafeFromInterface':
      return collect([expr.contractId, expr.value], environment, machine, ([id, contract]) =>
        interfaces.unsafeFromInterface(id, contract, expr.template, machine),
      )
    case 'unsafeFromRequiredInterface':
      return collect([expr.contractId, expr.value], environment, machine, ([id, contract]) =>
        interfaces.unsafeFromRequiredInterface(id, contract, expr.requiring, machine),
      )
    case 'callInterface':
      return one(expr.value, environment, machine, (contract) =>
        interfaces.callMethod(contract, expr.interface, expr.method, machine),
      )
    case 'viewInterface':
      return one(expr.value, environment, machine, (contract) => interfaces.viewOf(contract, expr.interface, machine))
    case 'signatoryInterface':
      return one(expr.value, environment, machine, (contract) =>
        interfaces.onContract(contract, machine, ({ signatories }) => signatories),
      )
    case 'observerInterface':
      return one(expr.value, environment, machine, (contract) =>
        interfaces.onContract(contract, machine, ({ observers }) => observers),
      )
    case 'interfaceTemplateTypeRep':
      return one(expr.value, environment, machine, (contract) => interfaces.templateOf(contract))
    default:
      return illTyped(`a ${expr.kind} cannot be evaluated`)
  }
}
