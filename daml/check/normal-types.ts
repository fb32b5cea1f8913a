/** Normal types have no synonyms; struct fields are sorted. */
import type { FieldType, Type, TypeParam } from '../language/types.js'
import { type Program, sameIdentifier } from '../machine/program.js'
import { apply } from '../schema/substitute.js'
import { sameKind } from './kinds.js'
import { type Work, wrong } from './lf-type-error.js'
import { forall } from './make-types.js'

export class NormalTypes {
  readonly #program: Program
  readonly #work: Work
  readonly #known = new WeakMap<Type, Type>()
  readonly #closed = new WeakMap<Type, boolean>()
  #fresh = 0

  constructor(program: Program, work: Work) {
    this.#program = program
    this.#work = work
  }

  of(type: Type, depth = 0): Type {
    const known = this.#known.get(type)
    if (known) return known
    this.#work.visit(depth)
    const made = this.#make(type, depth + 1)
    this.#known.set(type, made)
    this.#known.set(made, made)
    return made
  }

  #make(type: Type, depth: number): Type {
    switch (type.kind) {
      case 'nat':
        return type
      case 'builtin':
      case 'con':
      case 'var':
        return type.args.length === 0 ? type : { ...type, args: type.args.map((arg) => this.of(arg, depth)) }
      case 'syn': {
        const { params, type: body } = this.#program.synonym(type.id)
        if (params.length !== type.args.length) return wrong(`synonym ${type.id.entity} takes ${params.length} types`)
        const args = new Map(params.map(([name], index) => [name, this.of(type.args[index] ?? body, depth)]))
        return this.substitute(this.of(body, depth), args, depth)
      }
      case 'app':
        return apply(this.of(type.fun, depth), this.of(type.arg, depth))
      case 'forall':
        return forall(type.params, this.of(type.body, depth))
      case 'struct': {
        const fields = type.fields.map(([label, of]): FieldType => [label, this.of(of, depth)])
        return { kind: 'struct', fields: fields.sort(([a], [b]) => (a < b ? -1 : 1)) }
      }
    }
  }

  /** Receives normal types. */
  substitute(type: Type, variables: ReadonlyMap<string, Type>, depth = 0): Type {
    if (variables.size === 0 || this.#isClosed(type)) return type
    this.#work.visit(depth)
    const all = (args: readonly Type[]): Type[] => args.map((arg) => this.substitute(arg, variables, depth + 1))
    switch (type.kind) {
      case 'var': {
        const found = variables.get(type.name)
        return found ? all(type.args).reduce(apply, found) : { ...type, args: all(type.args) }
      }
      case 'builtin':
      case 'con':
        return type.args.length === 0 ? type : { ...type, args: all(type.args) }
      case 'struct':
        return {
          kind: 'struct',
          fields: type.fields.map(([label, of]) => [label, this.substitute(of, variables, depth + 1)]),
        }
      case 'forall':
        return this.#under(type.params, type.body, variables, depth + 1)
      default:
        return type
    }
  }

  /** False if it is unknown. */
  #isClosed(type: Type): boolean {
    if (type.kind === 'nat') return true
    if (type.kind !== 'builtin' && type.kind !== 'con') return false
    if (type.args.length === 0) return true
    const known = this.#closed.get(type)
    if (known !== undefined) return known
    const closed = type.args.every((arg) => this.#isClosed(arg))
    this.#closed.set(type, closed)
    return closed
  }

  /** Renames bound variables to avoid capture. */
  #under(params: readonly TypeParam[], body: Type, variables: ReadonlyMap<string, Type>, depth: number): Type {
    const inner = new Map(variables)
    const renamed = params.map(([name, kind]): TypeParam => {
      this.#fresh += 1
      const fresh = `${name}\u0000${this.#fresh}`
      inner.set(name, { kind: 'var', name: fresh, args: [] })
      return [fresh, kind]
    })
    return forall(renamed, this.substitute(body, inner, depth))
  }

  /** Ignores the names of bound variables. */
  areEqual(a: Type, b: Type, bound?: Bound, depth = 0): boolean {
    if (a === b && !bound) return true
    this.#work.visit(depth)
    const all = (left: readonly Type[], right: readonly Type[]): boolean =>
      left.length === right.length &&
      left.every((item, index) => this.areEqual(item, right[index] ?? item, bound, depth + 1))
    switch (a.kind) {
      case 'nat':
        return b.kind === 'nat' && a.value === b.value
      case 'var':
        return b.kind === 'var' && sameVariable(a.name, b.name, bound) && all(a.args, b.args)
      case 'builtin':
        return b.kind === 'builtin' && a.name === b.name && all(a.args, b.args)
      case 'con':
        return b.kind === 'con' && sameIdentifier(a.id, b.id) && all(a.args, b.args)
      case 'struct':
        return (
          b.kind === 'struct' &&
          a.fields.every(([label], index) => label === b.fields[index]?.[0]) &&
          all(typesOf(a.fields), typesOf(b.fields))
        )
      case 'forall': {
        if (b.kind !== 'forall' || a.params.length !== b.params.length) return false
        if (!a.params.every(([, kind], index) => sameKind(kind, b.params[index]?.[1]))) return false
        const inner = a.params.reduce<Bound | undefined>(
          (outer, [name], index) => ({ left: name, right: b.params[index]?.[0] ?? '', outer }),
          bound,
        )
        return this.areEqual(a.body, b.body, inner, depth + 1)
      }
      default:
        return false
    }
  }
}

/** Pairs of bound variables, the innermost first. */
interface Bound {
  left: string
  right: string
  outer: Bound | undefined
}

function sameVariable(a: string, b: string, bound: Bound | undefined): boolean {
  for (let place = bound; place; place = place.outer) {
    if (place.left === a || place.right === b) return place.left === a && place.right === b
  }
  return a === b
}

const typesOf = (fields: readonly FieldType[]): Type[] => fields.map(([, type]) => type)
