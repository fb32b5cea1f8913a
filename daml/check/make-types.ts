import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { BuiltinType, Type, TypeParam } from '../language/types.js'

export const builtin = (name: BuiltinType, ...args: readonly Type[]): Type => ({ kind: 'builtin', name, args })
export const con = (id: DamlIdentifier, args: readonly Type[] = []): Type => ({ kind: 'con', id, args })
export const arrow = (from: Type, to: Type): Type => builtin('Arrow', from, to)
export const update = (of: Type): Type => builtin('Update', of)
export const contractId = (of: DamlIdentifier): Type => builtin('ContractId', con(of))
export const list = (of: Type): Type => builtin('List', of)
export const optional = (of: Type): Type => builtin('Optional', of)

export const unit = builtin('Unit')
export const bool = builtin('Bool')
export const int64 = builtin('Int64')
export const text = builtin('Text')
export const date = builtin('Date')
export const timestamp = builtin('Timestamp')
export const parties = list(builtin('Party'))
export const any = builtin('Any')
export const anyException = builtin('AnyException')
export const typeRep = builtin('TypeRep')
export const failureCategory = builtin('FailureCategory')

/** Joins nested quantifiers to one. */
export const forall = (params: readonly TypeParam[], body: Type): Type =>
  body.kind === 'forall'
    ? { kind: 'forall', params: [...params, ...body.params], body: body.body }
    : { kind: 'forall', params, body }
