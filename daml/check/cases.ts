import type { Expr, Pattern } from '../language/expressions.js'
import type { DataType } from '../language/package.js'
import type { Type } from '../language/types.js'
import { sameIdentifier } from '../machine/program.js'
import { bind } from '../schema/substitute.js'
import { wrong } from './lf-type-error.js'
import { list } from './make-types.js'
import { shownType } from './shown.js'
import { type Inference, type Scope, type Typing, withTerm } from './typing.js'

export function* inferCase(
  { scrutinee, alternatives }: Extract<Expr, { kind: 'case' }>,
  scope: Scope,
  typing: Typing,
): Inference {
  const of = yield typing.infer(scrutinee, scope, typing)
  const data = of.kind === 'con' ? typing.program.dataType(of.id) : undefined
  let result: Type | undefined
  for (const { pattern, body } of alternatives) {
    const found = yield typing.infer(body, inAlternative(pattern, { of, data }, scope, typing), typing)
    if (result) typing.demandSame(found, result, 'an alternative of a case')
    result ??= found
  }
  if (!result) return wrong('a case has no alternatives')
  demandAll(
    alternatives.map(({ pattern }) => pattern),
    { of, data },
  )
  return result
}

interface Subject {
  of: Type
  data: DataType | undefined
}

function inAlternative(pattern: Pattern, subject: Subject, scope: Scope, typing: Typing): Scope {
  const { of, data } = subject
  const [item] = of.kind === 'builtin' ? of.args : []
  switch (pattern.kind) {
    case 'default':
      return scope
    case 'variant': {
      if (data?.kind !== 'variant' || of.kind !== 'con' || !sameIdentifier(of.id, pattern.id)) break
      const made = { type: of, variables: bind(data.params, of.args) }
      return withTerm(scope, pattern.binder, typing.part(data.constructors, pattern.constructor, made))
    }
    case 'enum': {
      if (data?.kind !== 'enum' || of.kind !== 'con' || !sameIdentifier(of.id, pattern.id)) break
      return data.constructors.includes(pattern.constructor)
        ? scope
        : wrong(`${shownType(of)} has no ${pattern.constructor}`)
    }
    case 'cons':
      if (!item || !isBuiltin(of, 'List')) break
      if (pattern.head === pattern.tail) return wrong(`a pattern binds ${pattern.head} twice`)
      return withTerm(withTerm(scope, pattern.head, item), pattern.tail, list(item))
    case 'some':
      if (!item || !isBuiltin(of, 'Optional')) break
      return withTerm(scope, pattern.binder, item)
    default:
      if (isBuiltin(of, builtinOf[pattern.kind])) return scope
  }
  return wrong(`a pattern (${pattern.kind}) does not fit the type ${shownType(of)}`)
}

const builtinOf = { unit: 'Unit', bool: 'Bool', nil: 'List', none: 'Optional' } as const

const isBuiltin = (type: Type, name: string): boolean => type.kind === 'builtin' && type.name === name

/** The patterns must be exhaustive. */
function demandAll(patterns: readonly Pattern[], subject: Subject): void {
  if (patterns.some(({ kind }) => kind === 'default')) return
  const met = new Set(patterns.map(nameOf))
  const missing = constructorsOf(subject).find((name) => !met.has(name))
  if (missing !== undefined) wrong(`a case of ${shownType(subject.of)} does not cover ${missing}`)
}

function nameOf(pattern: Pattern): string {
  if (pattern.kind === 'variant' || pattern.kind === 'enum') return pattern.constructor
  return pattern.kind === 'bool' ? String(pattern.value) : pattern.kind
}

function constructorsOf({ of, data }: Subject): readonly string[] {
  if (data?.kind === 'variant') return data.constructors.map(([name]) => name)
  if (data?.kind === 'enum') return data.constructors
  if (isBuiltin(of, 'Unit')) return ['unit']
  if (isBuiltin(of, 'Bool')) return ['false', 'true']
  if (isBuiltin(of, 'List')) return ['nil', 'cons']
  return isBuiltin(of, 'Optional') ? ['none', 'some'] : ['other values']
}
