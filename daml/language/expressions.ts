import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { BuiltinName } from './builtins.js'
import type { Type } from './types.js'

/** Without the types that evaluation does not read. */
export type Expr =
  | { kind: 'var'; name: string }
  | { kind: 'val'; id: DamlIdentifier }
  | { kind: 'builtin'; name: BuiltinName }
  | { kind: 'unit' }
  | { kind: 'bool'; value: boolean }
  | { kind: 'int64'; value: bigint }
  | { kind: 'category'; value: bigint }
  | { kind: 'numeric'; text: string }
  | { kind: 'text'; value: string }
  | { kind: 'timestamp'; micros: bigint }
  | { kind: 'date'; days: number }
  | { kind: 'app'; fun: Expr; args: readonly Expr[] }
  | { kind: 'abs'; params: readonly string[]; body: Expr }
  | { kind: 'let'; name: string; bound: Expr; body: Expr }
  | { kind: 'case'; scrutinee: Expr; alternatives: readonly Alternative[] }
  | { kind: 'recCon'; id: DamlIdentifier; fields: readonly FieldExpr[] }
  | { kind: 'recProj'; id: DamlIdentifier; field: string; record: Expr }
  | { kind: 'recUpd'; id: DamlIdentifier; field: string; record: Expr; value: Expr }
  | { kind: 'variantCon'; id: DamlIdentifier; constructor: string; value: Expr }
  | { kind: 'enumCon'; id: DamlIdentifier; constructor: string }
  | { kind: 'structCon'; fields: readonly FieldExpr[] }
  | { kind: 'structProj'; field: string; struct: Expr }
  | { kind: 'structUpd'; field: string; struct: Expr; value: Expr }
  | { kind: 'nil' }
  | { kind: 'cons'; front: readonly Expr[]; tail: Expr }
  | { kind: 'none' }
  | { kind: 'some'; value: Expr }
  | { kind: 'toAny'; any: AnyType; type: Type; value: Expr }
  | { kind: 'fromAny'; any: AnyType; type: Type; value: Expr }
  | { kind: 'typeRep'; type: Type }
  | { kind: 'throw'; type: Type; value: Expr }
  | { kind: 'toInterface'; interface: DamlIdentifier; template: DamlIdentifier; value: Expr }
  | { kind: 'fromInterface'; interface: DamlIdentifier; template: DamlIdentifier; value: Expr }
  | { kind: 'unsafeFromInterface'; interface: DamlIdentifier; template: DamlIdentifier; contractId: Expr; value: Expr }
  | { kind: 'toRequiredInterface'; required: DamlIdentifier; requiring: DamlIdentifier; value: Expr }
  | { kind: 'fromRequiredInterface'; required: DamlIdentifier; requiring: DamlIdentifier; value: Expr }
  | {
      kind: 'unsafeFromRequiredInterface'
      required: DamlIdentifier
      requiring: DamlIdentifier
      contractId: Expr
      value: Expr
    }
  | { kind: 'callInterface'; interface: DamlIdentifier; method: string; value: Expr }
  | { kind: 'viewInterface'; interface: DamlIdentifier; value: Expr }
  | { kind: 'signatoryInterface'; interface: DamlIdentifier; value: Expr }
  | { kind: 'observerInterface'; interface: DamlIdentifier; value: Expr }
  | { kind: 'interfaceTemplateTypeRep'; interface: DamlIdentifier; value: Expr }
  | { kind: 'update'; update: Update }

export type AnyType = 'Any' | 'AnyException'

export type FieldExpr = readonly [label: string, value: Expr]

export interface Alternative {
  pattern: Pattern
  body: Expr
}

export type Pattern =
  | { kind: 'default' }
  | { kind: 'variant'; id: DamlIdentifier; constructor: string; binder: string }
  | { kind: 'enum'; id: DamlIdentifier; constructor: string }
  | { kind: 'unit' }
  | { kind: 'bool'; value: boolean }
  | { kind: 'nil' }
  | { kind: 'cons'; head: string; tail: string }
  | { kind: 'none' }
  | { kind: 'some'; binder: string }

export type Update =
  | { kind: 'pure'; value: Expr }
  | { kind: 'bind'; name: string; bound: Expr; body: Expr }
  | { kind: 'create'; template: DamlIdentifier; argument: Expr }
  | { kind: 'createInterface'; interface: DamlIdentifier; argument: Expr }
  | { kind: 'exercise'; template: DamlIdentifier; choice: string; contractId: Expr; argument: Expr }
  | {
      kind: 'exerciseInterface'
      interface: DamlIdentifier
      choice: string
      contractId: Expr
      argument: Expr
    }
  | { kind: 'exerciseByKey'; template: DamlIdentifier; choice: string; key: Expr; argument: Expr }
  | { kind: 'fetch'; template: DamlIdentifier; contractId: Expr }
  | { kind: 'fetchInterface'; interface: DamlIdentifier; contractId: Expr }
  /** A function: key to (contract id, contract). */
  | { kind: 'fetchByKey'; template: DamlIdentifier }
  /** A function: maximum number, key to a list of such pairs. */
  | { kind: 'queryByKey'; template: DamlIdentifier }
  | { kind: 'getTime' }
  | { kind: 'ledgerTimeLt'; time: Expr }
  | { kind: 'embed'; body: Expr }
  | { kind: 'tryCatch'; body: Expr; binder: string; handler: Expr }
