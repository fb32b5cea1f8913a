import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { AnyValue, Task, Value } from './values.js'

/** What updates do to a ledger. */
export interface Effects {
  create(template: DamlIdentifier, argument: Value): Task
  exercise(template: DamlIdentifier, contractId: string, choice: string, argument: Value): Task
  exerciseInterface(of: DamlIdentifier, contractId: string, choice: string, argument: Value): Task
  exerciseByKey(template: DamlIdentifier, key: Value, choice: string, argument: Value): Task
  fetch(template: DamlIdentifier, contractId: string): Task
  fetchInterface(of: DamlIdentifier, contractId: string): Task
  /** Answers with the contract id and the contract, as a Tuple2. */
  fetchByKey(template: DamlIdentifier, key: Value): Task
  /** Answers with so many Tuple2 of contract id and contract, as a list. */
  queryByKey(template: DamlIdentifier, count: bigint, key: Value): Task
  /** Ledger time in microseconds since 1970. */
  getTime(): bigint
  isBefore(time: bigint): boolean
  /** Begins a part of the transaction that may be taken back. */
  beginTry(): TryMark
  endTry(mark: TryMark): void
  /** Takes back what happened since the beginning. Throws where that cannot be. */
  rollBack(mark: TryMark): void
  /** The contract as another version of its template sees it. Throws where that cannot be. */
  upgradeContract(contract: AnyValue, template: DamlIdentifier): Value
  /** Whether both are the same template, in whatever versions of their package. */
  isVersionOf(a: DamlIdentifier, b: DamlIdentifier): boolean
  /** What an interface of which no contract is one leads to. */
  notImplemented(contractId: string, contract: AnyValue, of: DamlIdentifier): Error
}

/** Where a part of a transaction began; what it holds is the ledger's. */
export type TryMark = object
