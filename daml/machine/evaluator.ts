import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { Program } from './program.js'
import type { AnyValue, Host, Next, Task, Value } from './values.js'

/** A continuation: receives the value. */
export interface Frame {
  resume(value: Value, machine: Evaluator): Next
  /** Present if the frame catches exceptions. */
  caught?(exception: AnyValue, machine: Evaluator): Next
}

export interface Evaluator extends Host {
  readonly program: Program
  readonly effects: Effects
  push(frame: Frame): void
}

export interface Effects {
  create(template: DamlIdentifier, argument: Value): Task
  exercise(template: DamlIdentifier, contractId: string, choice: string, argument: Value): Task
  exerciseInterface(of: DamlIdentifier, contractId: string, choice: string, argument: Value): Task
  exerciseByKey(template: DamlIdentifier, key: Value, choice: string, argument: Value): Task
  fetch(template: DamlIdentifier, contractId: string): Task
  fetchInterface(of: DamlIdentifier, contractId: string): Task
  /** Returns a Tuple2 (contract id, contract). */
  fetchByKey(template: DamlIdentifier, key: Value): Task
  /** Returns at most `count` such tuples. */
  queryByKey(template: DamlIdentifier, count: bigint, key: Value): Task
  /** Ledger time in microseconds since 1970. */
  getTime(): bigint
  isBefore(time: bigint): boolean
  beginTry(): TryMark
  endTry(mark: TryMark): void
  /** Throws if the effects since the mark cannot be rolled back. */
  rollBack(mark: TryMark): void
  /** Converts to another version of its template. Throws if impossible. */
  upgradeContract(contract: AnyValue, template: DamlIdentifier): Value
  /** Compares without the package version. */
  isVersionOf(a: DamlIdentifier, b: DamlIdentifier): boolean
  /** The error for an unimplemented interface. */
  notImplemented(contractId: string, contract: AnyValue, of: DamlIdentifier): Error
}

/** Opaque to the machine. */
export type TryMark = object
