/** Int64 and Timestamp are bigints, Text, Party and ContractId strings, Date the count of days since 1970. */
import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { Expr, Update } from '../language/expressions.js'
import type { Type } from '../language/types.js'

export type Value = bigint | string | boolean | number | DataValue | FunctionValue | ActionValue

type DataValue =
  | { kind: 'unit' }
  /** Its value is `digits` / 10^`scale`. */
  | { kind: 'numeric'; digits: bigint; scale: number }
  | { kind: 'nil' }
  | { kind: 'cons'; head: Value; tail: ListValue }
  | { kind: 'none' }
  | { kind: 'some'; value: Value }
  /** Fields in the order of the labels. */
  | { kind: 'record'; layout: RecordLayout; fields: readonly Value[] }
  /** `rank`: the position of the constructor in its type. */
  | { kind: 'variant'; id: DamlIdentifier; constructorName: string; rank: number; value: Value }
  | { kind: 'enum'; id: DamlIdentifier; constructorName: string; rank: number }
  /** Labels are sorted. */
  | { kind: 'struct'; labels: readonly string[]; fields: readonly Value[] }
  /** A TextMap or a GenMap. Keys ascend. */
  | { kind: 'map'; textual: boolean; keys: readonly Value[]; values: readonly Value[] }
  /** An Any, an exception, or a contract seen as an interface (its type is then the template). */
  | { kind: 'any'; type: Type; value: Value }
  | { kind: 'typeRep'; type: Type }

type FunctionValue =
  | { kind: 'closure'; params: readonly string[]; body: Expr; environment: Environment | undefined }
  /** A builtin or a function of the ledger. */
  | { kind: 'host'; arity: number; run: HostFunction }
  | { kind: 'partial'; fun: ClosureValue | HostFunctionValue; args: readonly Value[] }

type ActionValue =
  | { kind: 'update'; update: Update; environment: Environment | undefined }
  /** An update of the host. */
  | { kind: 'task'; start: () => Task }

export type NumericValue = Extract<Value, { kind: 'numeric' }>
export type ListValue = Extract<Value, { kind: 'nil' | 'cons' }>
export type OptionalValue = Extract<Value, { kind: 'none' | 'some' }>
export type RecordValue = Extract<Value, { kind: 'record' }>
export type StructValue = Extract<Value, { kind: 'struct' }>
export type MapValue = Extract<Value, { kind: 'map' }>
export type AnyValue = Extract<Value, { kind: 'any' }>
export type ClosureValue = Extract<Value, { kind: 'closure' }>
export type HostFunctionValue = Extract<Value, { kind: 'host' }>

/** Shared by all records of one type. */
export interface RecordLayout {
  id: DamlIdentifier
  labels: readonly string[]
  position: ReadonlyMap<string, number>
}

/** Receives `arity` arguments. */
type HostFunction = (args: readonly Value[], host: Host) => Next

/** Undefined: the machine must continue. */
export type Next = Value | undefined

/** What host functions and tasks can request from the machine. */
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

export const unit = { kind: 'unit' } as const
export const nil = { kind: 'nil' } as const
export const none = { kind: 'none' } as const

export const hostFunction = (arity: number, run: HostFunction): HostFunctionValue => ({ kind: 'host', arity, run })

export function listOf(items: readonly Value[], tail: ListValue = nil): ListValue {
  let list = tail
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index]
    if (item !== undefined) list = { kind: 'cons', head: item, tail: list }
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
