/**
 * Values as the machine holds them. Int64 and Timestamp are big integers, Text, Party and ContractId strings, Date is a number
 * of days and Bool a boolean; what a value is of these follows from its type alone.
 */
import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { Expr, Update } from '../language/expressions.js'
import type { Type } from '../language/types.js'

export type Value = bigint | string | boolean | number | DataValue | FunctionValue | ActionValue

export type DataValue =
  | UnitValue
  | NumericValue
  | NilValue
  | ConsValue
  | NoneValue
  | SomeValue
  | RecordValue
  | VariantValue
  | EnumValue
  | StructValue
  | MapValue
  | AnyValue
  | TypeRepValue

export type ListValue = NilValue | ConsValue
export type OptionalValue = NoneValue | SomeValue
export type FunctionValue = ClosureValue | HostFunctionValue | PartialValue
export type ActionValue = UpdateValue | TaskValue

export class UnitValue {
  readonly kind = 'unit'
}

/** A decimal number: `digits` divided by ten to the power of `scale`. */
export class NumericValue {
  readonly kind = 'numeric'
  readonly digits: bigint
  readonly scale: number

  constructor(digits: bigint, scale: number) {
    this.digits = digits
    this.scale = scale
  }
}

export class NilValue {
  readonly kind = 'nil'
}

export class ConsValue {
  readonly kind = 'cons'
  readonly head: Value
  readonly tail: ListValue

  constructor(head: Value, tail: ListValue) {
    this.head = head
    this.tail = tail
  }
}

export class NoneValue {
  readonly kind = 'none'
}

export class SomeValue {
  readonly kind = 'some'
  readonly value: Value

  constructor(value: Value) {
    this.value = value
  }
}

/** What all records of one type have in common. */
export interface RecordLayout {
  id: DamlIdentifier
  labels: readonly string[]
  position: ReadonlyMap<string, number>
}

export class RecordValue {
  readonly kind = 'record'
  readonly layout: RecordLayout
  /** In the order of the labels. */
  readonly fields: readonly Value[]

  constructor(layout: RecordLayout, fields: readonly Value[]) {
    this.layout = layout
    this.fields = fields
  }
}

export class VariantValue {
  readonly kind = 'variant'
  readonly id: DamlIdentifier
  readonly constructorName: string
  /** The position of the constructor in its type. */
  readonly rank: number
  readonly value: Value

  constructor(id: DamlIdentifier, constructorName: string, rank: number, value: Value) {
    this.id = id
    this.constructorName = constructorName
    this.rank = rank
    this.value = value
  }
}

export class EnumValue {
  readonly kind = 'enum'
  readonly id: DamlIdentifier
  readonly constructorName: string
  readonly rank: number

  constructor(id: DamlIdentifier, constructorName: string, rank: number) {
    this.id = id
    this.constructorName = constructorName
    this.rank = rank
  }
}

export class StructValue {
  readonly kind = 'struct'
  /** Sorted. */
  readonly labels: readonly string[]
  readonly fields: readonly Value[]

  constructor(labels: readonly string[], fields: readonly Value[]) {
    this.labels = labels
    this.fields = fields
  }
}

/** A TextMap or a GenMap. Keys ascend. */
export class MapValue {
  readonly kind = 'map'
  readonly textual: boolean
  readonly keys: readonly Value[]
  readonly values: readonly Value[]

  constructor(textual: boolean, keys: readonly Value[], values: readonly Value[]) {
    this.textual = textual
    this.keys = keys
    this.values = values
  }
}

/** A value with its type: an Any, an exception, or a contract seen as an interface (its type is then the template). */
export class AnyValue {
  readonly kind = 'any'
  readonly type: Type
  readonly value: Value

  constructor(type: Type, value: Value) {
    this.type = type
    this.value = value
  }
}

export class TypeRepValue {
  readonly kind = 'typeRep'
  readonly type: Type

  constructor(type: Type) {
    this.type = type
  }
}

export class ClosureValue {
  readonly kind = 'closure'
  readonly params: readonly string[]
  readonly body: Expr
  readonly environment: Environment | undefined

  constructor(params: readonly string[], body: Expr, environment: Environment | undefined) {
    this.params = params
    this.body = body
    this.environment = environment
  }
}

/** A function of this program: a builtin, or one that the ledger offers. */
export class HostFunctionValue {
  readonly kind = 'host'
  readonly arity: number
  readonly run: HostFunction

  constructor(arity: number, run: HostFunction) {
    this.arity = arity
    this.run = run
  }
}

/** Takes as many arguments as its arity says. Answers with its result, or with what the host said to that. */
type HostFunction = (args: readonly Value[], host: Host) => Next

/** A result, or undefined: the machine knows how to go on. */
export type Next = Value | undefined

/** What functions of this program may ask of the machine. */
export interface Host {
  /** Goes on with the function applied to these. */
  apply(fun: Value, args: readonly Value[]): Next
  /** Goes on with a task, whose result is the result of the function. */
  perform(task: Task): Next
  /** Goes on with what catches the exception. */
  raise(exception: AnyValue): Next
  /** Goes on with the text of an exception. */
  describe(exception: AnyValue): Next
  /** Counts work that one step cannot stand for. */
  spend(steps: number): void
}

/** A function that waits for more arguments. */
export class PartialValue {
  readonly kind = 'partial'
  readonly fun: ClosureValue | HostFunctionValue
  readonly args: readonly Value[]

  constructor(fun: ClosureValue | HostFunctionValue, args: readonly Value[]) {
    this.fun = fun
    this.args = args
  }
}

/** An update that has not run yet. */
export class UpdateValue {
  readonly kind = 'update'
  readonly update: Update
  readonly environment: Environment | undefined

  constructor(update: Update, environment: Environment | undefined) {
    this.update = update
    this.environment = environment
  }
}

/** An update of this program that has not run yet. */
export class TaskValue {
  readonly kind = 'task'
  readonly start: () => Task

  constructor(start: () => Task) {
    this.start = start
  }
}

export const unit = new UnitValue()
export const nil = new NilValue()
export const none = new NoneValue()

/** A list of these, in order. */
export function listOf(items: readonly Value[], tail: ListValue = nil): ListValue {
  let list = tail
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index]
    if (item !== undefined) list = new ConsValue(item, list)
  }
  return list
}

export function* itemsOf(list: ListValue): Generator<Value> {
  for (let rest = list; rest.kind === 'cons'; rest = rest.tail) yield rest.head
}

/** What variables stand for: the innermost first. */
export class Environment {
  readonly name: string
  readonly value: Value
  readonly outer: Environment | undefined

  constructor(name: string, value: Value, outer: Environment | undefined) {
    this.name = name
    this.value = value
    this.outer = outer
  }
}

/** Undefined: no variable of that name is known there. */
export function lookUp(name: string, environment: Environment | undefined): Value | undefined {
  let place = environment
  while (place !== undefined) {
    if (place.name === name) return place.value
    place = place.outer
  }
  return undefined
}

/** What a task needs the machine for. */
export type Request =
  /** The value of an expression. */
  | { kind: 'evaluate'; expr: Expr; environment: Environment | undefined }
  /** The function applied to these. */
  | { kind: 'apply'; fun: Value; args: readonly Value[] }
  /** What the update answers once it has run. */
  | { kind: 'run'; update: Value }
  /** The result of another task. */
  | { kind: 'perform'; task: Task }

/**
 * Work of this program that needs Daml evaluated on the way: it yields a request and is given the answer. Tasks stand on the
 * stack of the machine, so that they can be nested as deep as programs nest them.
 */
export type Task = Generator<Request, Value, Value>
