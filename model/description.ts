/**
 * How a Daml package is described so that the simulator can run it: types, templates, interfaces and choices.
 * Descriptions are data with small pure functions over Daml values; they know nothing of ledgers, HTTP or JSON.
 */
import type { DamlIdentifier, DamlRecord, DamlValue } from '../interface/daml-value.js'

/** A serializable Daml type. Records, variants and enums are named `Module:Entity` within their own package, or by full identifier. */
export type DamlType =
  | { type: 'unit' | 'bool' | 'int64' | 'text' | 'party' | 'date' | 'timestamp' }
  | { type: 'numeric'; scale: number }
  | { type: 'contractId' }
  | { type: 'optional' | 'list' | 'textMap'; of: DamlType }
  | { type: 'genMap'; key: DamlType; of: DamlType }
  | { type: 'record'; id: DamlIdentifier; fields: Field[] }
  | { type: 'variant'; id: DamlIdentifier; constructors: Field[] }
  | { type: 'enum'; id: DamlIdentifier; constructors: string[] }

export type RecordType = Extract<DamlType, { type: 'record' }>
export type Field = [label: string, type: DamlType]

/** What the body of a choice may do. All parties and contracts are those of the running transaction. */
export interface ChoiceContext {
  /** Id of the contract the choice runs on. */
  self: string
  /** Ledger time in microseconds; reading it is part of the transaction. */
  now(): bigint
  create(template: DamlIdentifier, argument: DamlRecord): string
  /** Fetches a contract as the given template and returns its argument. */
  fetch(template: DamlIdentifier, contractId: string): DamlRecord
  exercise(template: DamlIdentifier, contractId: string, choice: string, argument: DamlValue): DamlValue
  /** Ends the transaction as a Daml failure. Category numbers are those of the interface's error categories. */
  fail(failure: { errorId: string; message: string; category: number; metadata?: Record<string, string> }): never
}

export interface Choice {
  name: string
  consuming: boolean
  argument: RecordType
  result: DamlType
  controllers(contract: DamlRecord, argument: DamlRecord): string[]
  /** Absent: the choice does nothing (beside archiving, if consuming) and returns unit. */
  body?(contract: DamlRecord, argument: DamlRecord, context: ChoiceContext): DamlValue
}

export interface Template {
  id: DamlIdentifier
  argument: RecordType
  signatories(contract: DamlRecord): string[]
  observers(contract: DamlRecord): string[]
  /**
   * Present and false: the contract must not be created. `throws` tells how the package was compiled: a thrown exception
   * (DAML_FAILURE) or a plain precondition (TEMPLATE_PRECONDITION_VIOLATED).
   */
  ensure?: { holds(contract: DamlRecord): boolean; throws: boolean }
  key?: { type: RecordType; of(contract: DamlRecord): DamlRecord; maintainers(key: DamlRecord): string[] }
  /** `Archive` included. */
  choices: Choice[]
  implements: InterfaceInstance[]
}

export interface InterfaceInstance {
  interface: DamlInterface
  view(contract: DamlRecord): DamlRecord
  /** Methods that choices of the interface call. */
  methods: Record<string, (contract: DamlRecord, argument: DamlValue, context: ChoiceContext) => DamlValue>
}

export interface DamlInterface {
  id: DamlIdentifier
  view: RecordType
  choices: InterfaceChoice[]
}

/** A choice of an interface: as `Choice`, with the instance at hand for its view and methods. */
export interface InterfaceChoice extends Omit<Choice, 'controllers' | 'body'> {
  controllers(contract: DamlRecord, argument: DamlRecord, instance: InterfaceInstance, template: Template): string[]
  body?(contract: DamlRecord, argument: DamlRecord, context: ChoiceContext, instance: InterfaceInstance): DamlValue
}

export interface DamlPackage {
  id: string
  name: string
  version: string
  /** Daml-LF language version, `2.1` and the like. */
  language: string
  /** Package ids of direct dependencies that hold types of ours (not the standard library). */
  dependencies: string[]
  templates: Template[]
  interfaces: DamlInterface[]
}
