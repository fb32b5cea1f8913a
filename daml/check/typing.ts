/** What the rules of all expressions share. */
import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { Expr } from '../language/expressions.js'
import type { DataType } from '../language/package.js'
import type { FieldType, Type } from '../language/types.js'
import type { Program } from '../machine/program.js'
import { Kinds, type TypeScope } from './kinds.js'
import { wrong } from './lf-type-error.js'
import { con } from './make-types.js'
import { NormalTypes } from './normal-types.js'
import { shownType } from './shown.js'
import type { Work } from './work.js'

/** The variables that are known at a place, with their normal types; the innermost first. */
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

/**
 * Finds the normal type of an expression: yields those of the expressions in it, and is given theirs. So expressions may be
 * nested as deep as archives nest them.
 */
export type Inference = Generator<Inferred, Type, Type>

/** A type that is known at once, or how it is found. */
export type Inferred = Type | Inference

const isKnown = (found: Inferred): found is Type => 'kind' in found

/** A record or variant with its type arguments. */
export interface Constructed {
  data: DataType
  type: Type
  variables: ReadonlyMap<string, Type>
}

/** All methods throw `LfTypeError`, or `EvaluationFailure` for what no package defines. */
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

  /** The normal form of a type of values. */
  type(type: Type, { types }: Scope): Type {
    this.kinds.demandStar(type, types)
    return this.normal.of(type)
  }

  /** Infers the type of the expression, which has to be that one. */
  *expect(expr: Expr, wanted: Type, scope: Scope): Generator<Inferred, void, Type> {
    const found = this.infer(expr, scope, this)
    this.demandSame(isKnown(found) ? found : yield found, wanted, `an expression (${expr.kind})`)
  }

  demandSame(found: Type, wanted: Type, what: string): void {
    if (this.normal.areEqual(found, wanted)) return
    wrong(`${what} is of the type ${shownType(found)}, and should be of ${shownType(wanted)}`)
  }

  /** The expression alone, from its beginning to its end. */
  demand(expr: Expr, wanted: Type, scope: Scope): void {
    const open: Inference[] = []
    let found = this.infer(expr, scope, this)
    for (;;) {
      this.work.spend(1)
      const given = isKnown(found) ? found : wanted
      if (!isKnown(found)) open.push(found)
      const top = open.at(-1)
      if (!top) {
        this.demandSame(given, wanted, 'it')
        return
      }
      // What begins takes no notice of what it is given.
      const { done, value } = top.next(given)
      if (done) open.pop()
      found = value
    }
  }

  constructed({ id, types }: { id: DamlIdentifier; types: readonly Type[] }, scope: Scope): Constructed {
    const data = this.program.dataType(id)
    if (data.params.length !== types.length) {
      return wrong(`${id.module}:${id.entity} takes ${data.params.length} types, and is given ${types.length}`)
    }
    const args = types.map((type, index) => {
      this.kinds.demand(type, data.params[index]?.[1] ?? 'star', scope.types)
      return this.normal.of(type)
    })
    return { data, type: con(id, args), variables: boundTo(data, args) }
  }

  /** The type of a field or constructor of that name. */
  part(parts: readonly FieldType[], name: string, { type, variables }: Omit<Constructed, 'data'>): Type {
    const found = parts.find(([label]) => label === name)?.[1]
    return found ? this.normal.substitute(this.normal.of(found), variables) : wrong(`${shownType(type)} has no ${name}`)
  }
}

/** The arguments of a data type by the names of its parameters. */
export const boundTo = ({ params }: DataType, args: readonly Type[]): ReadonlyMap<string, Type> =>
  new Map(params.flatMap(([name], index) => (args[index] ? [[name, args[index]] as const] : [])))
