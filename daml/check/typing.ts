import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { Expr } from '../language/expressions.js'
import type { DataType } from '../language/package.js'
import type { FieldType, Type } from '../language/types.js'
import type { Program } from '../machine/program.js'
import { bind } from '../schema/substitute.js'
import { Kinds, type TypeScope } from './kinds.js'
import { type Work, wrong } from './lf-type-error.js'
import { con } from './make-types.js'
import { NormalTypes } from './normal-types.js'
import { shownType } from './shown.js'

/** The innermost variable first. */
export interface TermScope {
  name: string
  type: Type
  outer: TermScope | undefined
}

export interface Scope {
  types: TypeScope | undefined
  terms: TermScope | undefined
}

export const nothingKnown: Scope = { types: undefined, terms: undefined }

export const withTerm = ({ types, terms }: Scope, name: string, type: Type): Scope => ({
  types,
  terms: { name, type, outer: terms },
})

/** Yields the inference of each subexpression and receives its type, so nesting does not use the stack. */
export type Inference = Generator<Inferred, Type, Type>

export type Inferred = Type | Inference

const isKnown = (found: Inferred): found is Type => 'kind' in found

export interface Constructed {
  data: DataType
  type: Type
  variables: ReadonlyMap<string, Type>
}

/** Methods throw `LfTypeError`, or `EvaluationFailure` for an undefined name. */
export class Typing {
  readonly program: Program
  readonly work: Work
  readonly kinds: Kinds
  readonly normal: NormalTypes
  readonly infer: (expr: Expr, scope: Scope, typing: Typing) => Inferred

  constructor(program: Program, work: Work, infer: Typing['infer']) {
    this.program = program
    this.work = work
    this.kinds = new Kinds(program, work)
    this.normal = new NormalTypes(program, work)
    this.infer = infer
  }

  type(type: Type, { types }: Scope): Type {
    this.kinds.demandStar(type, types)
    return this.normal.of(type)
  }

  *expect(expr: Expr, wanted: Type, scope: Scope): Generator<Inferred, void, Type> {
    const found = this.infer(expr, scope, this)
    this.demandSame(isKnown(found) ? found : yield found, wanted, `an expression (${expr.kind})`)
  }

  demandSame(found: Type, wanted: Type, what: string): void {
    if (this.normal.areEqual(found, wanted)) return
    wrong(`${what} has the type ${shownType(found)}, expected ${shownType(wanted)}`)
  }

  /** Runs the inference of one expression. */
  demand(expr: Expr, wanted: Type, scope: Scope): void {
    const open: Inference[] = []
    let found = this.infer(expr, scope, this)
    for (;;) {
      this.work.spend(1)
      const given = isKnown(found) ? found : wanted
      if (!isKnown(found)) open.push(found)
      const top = open.at(-1)
      if (!top) {
        this.demandSame(given, wanted, 'the expression')
        return
      }
      // The first `next` ignores its argument.
      const { done, value } = top.next(given)
      if (done) open.pop()
      found = value
    }
  }

  constructed({ id, types }: { id: DamlIdentifier; types: readonly Type[] }, scope: Scope): Constructed {
    const data = this.program.dataType(id)
    if (data.params.length !== types.length) {
      return wrong(`${id.module}:${id.entity} takes ${data.params.length} types, but ${types.length} are given`)
    }
    const args = types.map((type, index) => {
      this.kinds.demand(type, data.params[index]?.[1] ?? 'star', scope.types)
      return this.normal.of(type)
    })
    return { data, type: con(id, args), variables: bind(data.params, args) }
  }

  part(parts: readonly FieldType[], name: string, { type, variables }: Omit<Constructed, 'data'>): Type {
    const found = parts.find(([label]) => label === name)?.[1]
    return found ? this.normal.substitute(this.normal.of(found), variables) : wrong(`${shownType(type)} has no ${name}`)
  }
}
