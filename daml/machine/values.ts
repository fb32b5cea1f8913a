/** Int64 and Timestamp are bigints, Text, Party and ContractId strings, Date the count of days since 1970. */
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

/** Its value is `digits` / 10^`scale`. */
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

/** Shared by all records of one type. */
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

/** An Any, an exception, or a contract seen as an interface (its type is then the template). */
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

/** A builtin or a function of the ledger. */
export class HostFunctionValue {
  readonly kind = 'host'
  readonly arity: number
  readonly run: HostFunction

  constructor(arity: number, run: HostFunction) {
    this.arity = arity
    this.run = run
  }
}

/** Receives `arity` arguments. */
type HostFunction = (args: readonly Value[], host: Host) => Next

/** Undefined: the machine must continue. */
export type Next = Value | undefined

/** Requests of host functions. */
export interface Host {
  evaluate(expr: Expr, environment: Environment | undefined): undefined
  run(update: Value): Next
  apply(fun: Value, args: readonly Value[]): Next
  /** Its result becomes that of the function. */
  perform(task: Task): Next
  raise(exception: AnyValue): Next
  /** Continues with the message of an exception. */
  describe(exception: AnyValue): Next
  /** Counts work beyond one step. */
  spend(steps: number): void
}

export class PartialValue {
  readonly kind = 'partial'
  readonly fun: ClosureValue | HostFunctionValue
  readonly args: readonly Value[]

  constructor(fun: ClosureValue | HostFunctionValue, args: readonly Value[]) {
    this.fun = fun
    this.args = args
  }
}

export class UpdateValue {
  readonly kind = 'update'
  readonly update: Update
  readonly environment: Environment | undefined

  constructor(update: Update, environment: Environment | undefined) {
    this.update = update
    this.environment = environment
  }
}

/** An update of the host. */
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

/** A variable and its outer scope. */
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

/** Undefined for an unknown variable. */
export function lookUp(name: string, environment: Environment | undefined): Value | undefined {
  let place = environment
  while (place !== undefined) {
    if (place.name === name) return place.value
    place = place.outer
  }
  return undefined
}

/** What a task requests from the machine. */
export type Request = (host: Host) => Next

/** Yields requests and receives their values. Tasks nest to any depth. */
export type Task = Generator<Request, Value, Value>
