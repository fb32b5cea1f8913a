import type { Kind, Type } from '../language/types.js'

const longest = 200

/** In the text format, without package ids. */
export function shownType(type: Type): string {
  const words: string[] = []
  let room = longest
  // Types with shared parts can be exponentially long.
  for (const word of wordsOf(type)) {
    words.push(word)
    room -= word.length
    if (room < 0) return `${words.join('').slice(0, longest)}…`
  }
  return words.join('')
}

function* wordsOf(type: Type): Generator<string> {
  switch (type.kind) {
    case 'nat':
      yield String(type.value)
      break
    case 'forall':
      yield `forall ${type.params.map(([name]) => plain(name)).join(' ')}. `
      yield* wordsOf(type.body)
      break
    case 'struct':
      yield '<'
      for (const [label, of] of type.fields) {
        yield ` ${label}: `
        yield* wordsOf(of)
      }
      yield ' >'
      break
    case 'app':
      yield* wordsOf(type.fun)
      yield ' '
      yield* wordsOf(type.arg)
      break
    default:
      if (type.args.length > 0) yield '('
      yield* wordsOfApplied(type)
      if (type.args.length > 0) yield ')'
  }
}

type Applied = Extract<Type, { args: readonly Type[] }>

function* wordsOfApplied(type: Applied): Generator<string> {
  const [from, to] = type.kind === 'builtin' && type.name === 'Arrow' ? type.args : []
  if (from && to) {
    yield* wordsOf(from)
    yield ' -> '
    yield* wordsOf(to)
    return
  }
  yield headOf(type)
  for (const arg of type.args) {
    yield ' '
    yield* wordsOf(arg)
  }
}

function headOf(type: Applied): string {
  if (type.kind === 'builtin') return type.name
  return type.kind === 'var' ? plain(type.name) : `${type.id.module}:${type.id.entity}`
}

/** Removes the suffix of a renamed variable. */
const plain = (name: string): string => name.split('\u0000')[0] ?? name

export function shownKind(kind: Kind): string {
  if (kind === 'star') return '*'
  if (kind === 'nat') return 'nat'
  return `(${shownKind(kind.from)} -> ${shownKind(kind.to)})`
}
