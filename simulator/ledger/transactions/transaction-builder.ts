import type { Slices } from '../../base/slices.js'
import type { Contract } from '../contracts/contract.js'
import type { ExerciseNode, HiddenNode, Node, NumberedNodes, QueryNode } from './transaction.js'

interface Scope {
  outer: Scope | undefined
  children: Draft[]
  exercise: OpenExercise | undefined
  authorizers: readonly string[]
  /** Parties that see the nodes above. */
  witnesses: readonly string[]
  /** For the next create or exercise directly below. */
  nextSeed(): Buffer
}

/** An effect that cannot be rolled back. */
export type Effect = { kind: 'create'; contract: Contract } | { kind: 'consume'; contract: Contract; choice: string }

export class TransactionBuilder {
  #scope: Scope
  #nextId = 0
  readonly #effects: Effect[] = []

  constructor(authorizers: readonly string[], rootSeed: (position: number) => Buffer) {
    let roots = 0
    const nextSeed = (): Buffer => rootSeed(roots++)
    this.#scope = { outer: undefined, children: [], exercise: undefined, authorizers, witnesses: [], nextSeed }
  }

  get authorizers(): readonly string[] {
    return this.#scope.authorizers
  }

  get witnesses(): readonly string[] {
    return this.#scope.witnesses
  }

  nextSeed(): Buffer {
    return this.#scope.nextSeed()
  }

  /** The id that messages use for the next node. */
  nextId(): number {
    this.#nextId += 1
    return this.#nextId - 1
  }

  add(node: Leaf): void {
    this.#scope.children.push({ kind: 'leaf', node })
    if (node.kind === 'create') this.#effects.push({ kind: 'create', contract: node.contract })
  }

  beginExercise(exercise: OpenExercise, authorizers: readonly string[], seedBelow: (position: number) => Buffer): void {
    const { consuming, contract, choice, witnesses } = exercise
    if (consuming) this.#effects.push({ kind: 'consume', contract, choice })
    let position = 0
    const nextSeed = (): Buffer => seedBelow(position++)
    this.#scope = { outer: this.#scope, children: [], exercise, authorizers, witnesses, nextSeed }
  }

  endExercise(result: ExerciseNode['result']): void {
    const { exercise, children, outer } = this.#scope
    if (!exercise || !outer) throw new Error('no exercise is open')
    outer.children.push({ kind: 'exercise', node: Object.assign(exercise, { result }), children })
    this.#scope = outer
  }

  /** Innermost first. */
  get exercises(): OpenExercise[] {
    const found: OpenExercise[] = []
    for (let scope: Scope | undefined = this.#scope; scope; scope = scope.outer) {
      if (scope.exercise) found.push(scope.exercise)
    }
    return found
  }

  /** Returns the mark that names the try block. */
  beginTry(): object {
    this.nextId()
    const { authorizers, witnesses, nextSeed } = this.#scope
    const scope: TryScope = {
      outer: this.#scope,
      children: [],
      exercise: undefined,
      authorizers,
      witnesses,
      nextSeed,
      effects: this.#effects.length,
    }
    this.#scope = scope
    return scope
  }

  endTry(mark: object): void {
    const scope = this.#open(mark)
    addAll(scope.outer.children, scope.children)
    this.#scope = scope.outer
  }

  /** Returns the effects that cannot be rolled back. */
  rollBack(mark: object): readonly Effect[] {
    const scope = this.#open(mark)
    const lasting = this.#effects.slice(scope.effects)
    addAll(scope.outer.children, rolledBack(scope.children))
    this.#scope = scope.outer
    return lasting
  }

  /** Closes all scopes within the try block. */
  #open(mark: object): TryScope & { outer: Scope } {
    while (this.#scope !== mark) {
      const { outer, exercise, children } = this.#scope
      if (!outer) throw new Error('the try block is not open')
      if (exercise) {
        outer.children.push({ kind: 'exercise', node: Object.assign(exercise, { result: undefined }), children })
      } else addAll(outer.children, children)
      this.#scope = outer
    }
    const { outer } = this.#scope
    if (!outer) throw new Error('the try block has no outer scope')
    return { ...(this.#scope as TryScope), outer } // the mark is a scope that beginTry has made
  }

  result(): Slices<NumberedNodes> {
    return numberedNodes(this.#scope.children)
  }
}

/** A call accepts a limited number of arguments. */
function addAll(list: Draft[], added: readonly Draft[]): void {
  for (const draft of added) list.push(draft)
}

interface TryScope extends Scope {
  /** Number of effects before the try block. */
  effects: number
}

/** Distributive, because `Omit` of a union loses its kinds. */
type Unnumbered<T> = T extends { id: number } ? Omit<T, 'id' | 'lastDescendant'> : never
type Leaf = Unnumbered<Exclude<Node, ExerciseNode> | QueryNode>
export type OpenExercise = Omit<Unnumbered<ExerciseNode>, 'result'>

type Draft =
  | { kind: 'leaf'; node: Leaf }
  | { kind: 'exercise'; node: Unnumbered<ExerciseNode>; children: readonly Draft[] }
  | { kind: 'rollback'; children: readonly Draft[] }

/** A few milliseconds of work. */
const placesPerSlice = 5_000

interface Place {
  drafts: readonly Draft[]
  next: number
  /** The parent, whose last descendant is not yet known. */
  around: { lastDescendant: number } | undefined
  /** False within a rollback. */
  visible: boolean
}

/** Numbers the drafts depth first. Iterative, because programs can nest exercises deeply. */
function* numberedNodes(roots: readonly Draft[]): Slices<NumberedNodes> {
  const nodes: Node[] = []
  const hidden: HiddenNode[] = []
  const informees = new Set<string>()
  let [id, places] = [0, 0]
  const open: Place[] = [{ drafts: roots, next: 0, around: undefined, visible: true }]
  for (let place = open.at(-1); place; place = open.at(-1)) {
    places += 1
    if (places % placesPerSlice === 0) yield
    const draft = place.drafts[place.next]
    place.next += 1
    if (!draft) {
      if (place.around) place.around.lastDescendant = id - 1
      open.pop()
      continue
    }
    const node = placed(draft, id)
    id += 1
    const visible = place.visible && node.kind !== 'rollback' && node.kind !== 'query'
    if (visible) {
      nodes.push(node)
      for (const party of node.witnesses) informees.add(party)
    } else hidden.push(node)
    if (draft.kind === 'leaf' || !('lastDescendant' in node)) continue
    open.push({ drafts: draft.children, next: 0, around: node, visible })
  }
  return { nodes, hidden, informees: [...informees].sort() }
}

function placed(draft: Draft, id: number): HiddenNode {
  if (draft.kind === 'leaf') return Object.assign(draft.node, { id })
  if (draft.kind === 'exercise') return Object.assign(draft.node, { id, lastDescendant: id })
  return { kind: 'rollback', id, lastDescendant: id }
}

/** One rollback node; it absorbs a rollback at its start or end. */
function rolledBack(children: readonly Draft[]): readonly Draft[] {
  const first = children[0]
  const last = children.at(-1)
  if (!first || !last) return []
  if (first.kind === 'rollback' && first === last) return [first]
  const opened = first.kind === 'rollback' ? [...first.children, ...children.slice(1)] : children
  const whole = last.kind === 'rollback' ? [...opened.slice(0, -1), ...last.children] : opened
  return [{ kind: 'rollback', children: whole }]
}
