import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { Expr } from './expressions.js'
import type { FieldType, Type } from './types.js'

export type LanguageVersion = '2.1' | '2.2' | '2.3'

export interface PackageHead {
  id: string
  name: string
  version: string
  language: LanguageVersion
}

export interface Package extends PackageHead {
  /** Sorted, without the package itself. */
  dependencies: readonly string[]
  modules: ReadonlyMap<string, Module>
}

export interface Module {
  name: string
  dataTypes: ReadonlyMap<string, DataType>
  synonyms: ReadonlyMap<string, Synonym>
  values: ReadonlyMap<string, ValueDefinition>
  templates: ReadonlyMap<string, Template>
  interfaces: ReadonlyMap<string, Interface>
  exceptions: ReadonlyMap<string, ExceptionDefinition>
}

export type DataType = { id: DamlIdentifier; params: readonly string[]; serializable: boolean } & (
  | { kind: 'record'; fields: readonly FieldType[] }
  | { kind: 'variant'; constructors: readonly FieldType[] }
  | { kind: 'enum'; constructors: readonly string[] }
  | { kind: 'interface' }
)

export interface Synonym {
  params: readonly string[]
  type: Type
}

export interface ValueDefinition {
  id: DamlIdentifier
  body: Expr
}

export interface Template {
  id: DamlIdentifier
  /** The variable of the contract. */
  param: string
  precondition: Expr
  signatories: Expr
  observers: Expr
  key: Key | undefined
  choices: ReadonlyMap<string, Choice>
  implements: readonly InterfaceInstance[]
}

export interface Key {
  type: Type
  value: Expr
  /** A function from a key to its maintainers. */
  maintainers: Expr
}

export interface Choice {
  name: string
  consuming: boolean
  /** The variable of the contract id. */
  self: string
  argument: { name: string; type: Type }
  result: Type
  controllers: Expr
  observers: Expr
  update: Expr
}

export interface InterfaceInstance {
  interface: DamlIdentifier
  /** Refers to the parameter of the template. */
  view: Expr
  methods: ReadonlyMap<string, Expr>
}

export interface Interface {
  id: DamlIdentifier
  /** The variable of the contract in choices. */
  param: string
  view: Type
  choices: ReadonlyMap<string, Choice>
}

export interface ExceptionDefinition {
  id: DamlIdentifier
  /** A function from the exception. */
  message: Expr
}
