import type { Expr } from '../language/expressions.js'
import type { FieldType, Type } from '../language/types.js'
import { wrong } from './lf-type-error.js'
import { shownType } from './shown.js'
import type { Constructed, Inference, Scope, Typing } from './typing.js'

type DataExpr = Extract<
  Expr,
  { kind: 'recCon' | 'recProj' | 'recUpd' | 'variantCon' | 'structCon' | 'structProj' | 'structUpd' }
>

export function* inferData(expr: DataExpr, scope: Scope, typing: Typing): Inference {
  switch (expr.kind) {
    case 'recCon': {
      const made = typing.constructed(expr, scope)
      const fields = fieldsOf(made)
      const [declared, given] = [fields, expr.fields].map((all) => all.map(([label]) => label).join(', '))
      if (given !== declared)
        return wrong(`${shownType(made.type)} has the fields ${declared || 'none'}, but ${given || 'none'} are given`)
      for (const [label, value] of expr.fields) yield* typing.expect(value, typing.part(fields, label, made), scope)
      return made.type
    }
    case 'recProj': {
      const made = typing.constructed(expr, scope)
      const type = typing.part(fieldsOf(made), expr.field, made)
      yield* typing.expect(expr.record, made.type, scope)
      return type
    }
    case 'recUpd': {
      const made = typing.constructed(expr, scope)
      yield* typing.expect(expr.record, made.type, scope)
      yield* typing.expect(expr.value, typing.part(fieldsOf(made), expr.field, made), scope)
      return made.type
    }
    case 'variantCon': {
      const made = typing.constructed(expr, scope)
      if (made.data.kind !== 'variant') return wrong(`${shownType(made.type)} is not a variant`)
      yield* typing.expect(expr.value, typing.part(made.data.constructors, expr.constructor, made), scope)
      return made.type
    }
    case 'structCon': {
      const fields: FieldType[] = []
      for (const [label, value] of expr.fields) fields.push([label, yield typing.infer(value, scope, typing)])
      if (new Set(fields.map(([label]) => label)).size < fields.length) return wrong('a struct has a field twice')
      return { kind: 'struct', fields: fields.sort(([a], [b]) => (a < b ? -1 : 1)) }
    }
    case 'structProj':
      return fieldIn(yield typing.infer(expr.struct, scope, typing), expr.field)
    case 'structUpd': {
      const type = yield typing.infer(expr.struct, scope, typing)
      yield* typing.expect(expr.value, fieldIn(type, expr.field), scope)
      return type
    }
  }
}

const fieldsOf = ({ data, type }: Constructed): readonly FieldType[] =>
  data.kind === 'record' ? data.fields : wrong(`${shownType(type)} is not a record`)

function fieldIn(type: Type, name: string): Type {
  const fields = type.kind === 'struct' ? type.fields : []
  return (
    fields.find(([label]) => label === name)?.[1] ?? wrong(`${shownType(type)} is not a struct with a field ${name}`)
  )
}
