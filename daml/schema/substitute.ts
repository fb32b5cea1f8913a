import type { Type } from '../language/types.js'

/** Replaces free variables. */
export function substitute(type: Type, variables: ReadonlyMap<string, Type>): Type {
  if (variables.size === 0) return type
  const all = (args: readonly Type[]): Type[] => args.map((arg) => substitute(arg, variables))
  switch (type.kind) {
    case 'var': {
      const found = variables.get(type.name)
      if (!found) return { ...type, args: all(type.args) }
      return all(type.args).reduce(apply, found)
    }
    case 'builtin':
    case 'con':
    case 'syn':
      return { ...type, args: all(type.args) }
    case 'app':
      return apply(substitute(type.fun, variables), substitute(type.arg, variables))
    case 'forall': {
      const bound = new Set(type.params)
      const free = new Map([...variables].filter(([name]) => !bound.has(name)))
      return { ...type, body: substitute(type.body, free) }
    }
    case 'struct':
      return { ...type, fields: type.fields.map(([label, of]) => [label, substitute(of, variables)]) }
    case 'nat':
      return type
  }
}

/** Moves arguments into the node that they apply to, where possible. */
export function apply(fun: Type, arg: Type): Type {
  if (fun.kind === 'builtin' || fun.kind === 'con' || fun.kind === 'var') return { ...fun, args: [...fun.args, arg] }
  return { kind: 'app', fun, arg }
}

/** Pairs parameters with arguments. */
export const bind = (params: readonly string[], args: readonly Type[]): ReadonlyMap<string, Type> =>
  new Map(params.flatMap((name, index) => (args[index] ? [[name, args[index]] as const] : [])))
