import type { BuiltinType, Kind, Type, TypeParam } from '../language/types.js'
import type { Program } from '../machine/program.js'
import { type Work, wrong } from './lf-type-error.js'
import { shownKind, shownType } from './shown.js'

/** The innermost variable first. */
export interface TypeScope {
  name: string
  kind: Kind
  outer: TypeScope | undefined
}

export const withParams = (params: readonly TypeParam[], scope: TypeScope | undefined): TypeScope | undefined =>
  params.reduce<TypeScope | undefined>((outer, [name, kind]) => ({ name, kind, outer }), scope)

export function sameKind(a: Kind, b: Kind | undefined): boolean {
  if (typeof a === 'string' || typeof b === 'string' || !b) return a === b
  return sameKind(a.from, b.from) && sameKind(a.to, b.to)
}

const kindOver = (params: readonly Kind[]): Kind => params.reduceRight<Kind>((to, from) => ({ from, to }), 'star')

const oneParameter: ReadonlySet<BuiltinType> = new Set(['List', 'Optional', 'ContractId', 'TextMap', 'Update'])
const twoParameters: ReadonlySet<BuiltinType> = new Set(['Arrow', 'GenMap'])

function kindOfBuiltin(name: BuiltinType): Kind {
  if (name === 'Numeric') return kindOver(['nat'])
  return kindOver(oneParameter.has(name) ? ['star'] : twoParameters.has(name) ? ['star', 'star'] : [])
}

export class Kinds {
  readonly #program: Program
  readonly #work: Work
  /** Checked types without variables: most types occur many times. */
  readonly #closed = new WeakSet<Type>()

  constructor(program: Program, work: Work) {
    this.#program = program
    this.#work = work
  }

  /** Throws `LfTypeError`. */
  demandStar(type: Type, scope: TypeScope | undefined): void {
    if (this.#closed.has(type)) return
    this.demand(type, 'star', scope)
    if (!scope) this.#closed.add(type)
  }

  demand(type: Type, wanted: Kind, scope: TypeScope | undefined, depth = 0): void {
    const found = this.#of(type, scope, depth)
    if (!sameKind(wanted, found)) {
      wrong(`the type ${shownType(type)} has the kind ${shownKind(found)}, expected ${shownKind(wanted)}`)
    }
  }

  demandKinds(params: readonly TypeParam[]): void {
    for (const [name, kind] of params) {
      for (let rest = kind; typeof rest === 'object'; rest = rest.to) {
        this.#work.spend(1)
        if (rest.to === 'nat') wrong(`the kind of ${name} ends in nat`)
      }
    }
  }

  #of(type: Type, scope: TypeScope | undefined, depth: number): Kind {
    this.#work.visit(depth)
    switch (type.kind) {
      case 'nat':
        return 'nat'
      case 'builtin':
        return this.#applied(type, kindOfBuiltin(type.name), scope, depth)
      case 'con': {
        const { params } = this.#program.dataType(type.id)
        return this.#applied(type, kindOver(params.map(([, kind]) => kind)), scope, depth)
      }
      case 'var':
        return this.#applied(type, this.#variable(type.name, scope), scope, depth)
      case 'syn': {
        const { params } = this.#program.synonym(type.id)
        if (params.length !== type.args.length) return wrong(`synonym ${type.id.entity} takes ${params.length} types`)
        return this.#applied(type, kindOver(params.map(([, kind]) => kind)), scope, depth)
      }
      case 'app': {
        const fun = this.#of(type.fun, scope, depth + 1)
        return this.#argument(type.arg, fun, scope, depth)
      }
      case 'forall':
        this.demandKinds(type.params)
        this.demand(type.body, 'star', withParams(type.params, scope), depth + 1)
        return 'star'
      case 'struct':
        if (new Set(type.fields.map(([label]) => label)).size < type.fields.length) wrong('a struct has a field twice')
        for (const [, of] of type.fields) this.demand(of, 'star', scope, depth + 1)
        return 'star'
    }
  }

  #applied({ args }: { args: readonly Type[] }, kind: Kind, scope: TypeScope | undefined, depth: number): Kind {
    return args.reduce<Kind>((fun, arg) => this.#argument(arg, fun, scope, depth), kind)
  }

  #argument(arg: Type, fun: Kind, scope: TypeScope | undefined, depth: number): Kind {
    if (typeof fun === 'string')
      return wrong(`a type of kind ${fun === 'star' ? '*' : fun} is applied to ${shownType(arg)}`)
    this.demand(arg, fun.from, scope, depth + 1)
    return fun.to
  }

  #variable(name: string, scope: TypeScope | undefined): Kind {
    for (let place = scope; place; place = place.outer) {
      this.#work.spend(1)
      if (place.name === name) return place.kind
    }
    return wrong(`type variable ${name} is not known`)
  }
}
