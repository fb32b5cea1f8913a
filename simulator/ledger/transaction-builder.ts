/** The nodes of a transaction while it comes into being: what lies in what, with whose authority, and what was taken back. */
import type { Contract } from './contract.js'
import type { ExerciseNode, HiddenNode, Interpretation, Node, QueryNode } from './transaction.js'

/** Of each kind by itself: what is left out of a union has no kinds any more. */
type Unnumbered<T> = T extends { id: number } ? Omit<T, 'id' | 'lastDescendant'> : never
type Leaf = Unnumbered<Exclude<Node, ExerciseNode> | QueryNode>

/** A part of a transaction that has no place in it yet. */
type Draft =
  | { kind: 'leaf'; node: Leaf }
  | { kind: 'exercise'; node: Unnumbered<ExerciseNode>; children: Draft[] }
  | { kind: 'rollback'; children: Draft[] }

/** What is open: the transaction, an exercise, or a part that may be taken back. */
interface Scope {
  outer: Scope | undefined
  children: Draft[]
  exercise: ExerciseScope | undefined
  /** Whose authority there is. */
  authorizers: readonly string[]
  /** Who learns of a node because he learns of the one above. */
  witnesses: readonly string[]
  /** The seed of the next create or exercise directly below. */
  nextSeed(): Buffer
}

export interface ExerciseScope extends Omit<Unnumbered<ExerciseNode>, 'result'> {
  /** For messages: ids are given anew once it is known what was taken back. */
  runningId: number
}

/** Something that cannot be taken back. */
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

  /** An id by which messages may speak of the next node. */
  nextId(): number {
    this.#nextId += 1
    return this.#nextId - 1
  }

  add(node: Leaf): void {
    this.#scope.children.push({ kind: 'leaf', node })
    if (node.kind === 'create') this.#effects.push({ kind: 'create', contract: node.contract })
  }

  /** Opens an exercise: what comes now lies in it. */
  beginExercise(
    exercise: ExerciseScope,
    authorizers: readonly string[],
    seedBelow: (position: number) => Buffer,
  ): void {
    const { consuming, contract, choice, witnesses } = exercise
    if (consuming) this.#effects.push({ kind: 'consume', contract, choice })
    let position = 0
    const nextSeed = (): Buffer => seedBelow(position++)
    this.#scope = { outer: this.#scope, children: [], exercise, authorizers, witnesses, nextSeed }
  }

  endExercise(result: ExerciseNode['result']): void {
    const { exercise, children, outer } = this.#scope
    if (!exercise || !outer) throw new Error('no exercise is open')
    const { runningId: _, ...node } = exercise
    outer.children.push({ kind: 'exercise', node: { ...node, result }, children })
    this.#scope = outer
  }

  /** The choices that are being exercised, the innermost first. */
  get exercises(): ExerciseScope[] {
    const found: ExerciseScope[] = []
    for (let scope: Scope | undefined = this.#scope; scope; scope = scope.outer) {
      if (scope.exercise) found.push(scope.exercise)
    }
    return found
  }

  /** Opens a part that may be taken back; the mark names it. */
  beginTry(): object {
    this.nextId()
    const { authorizers, witnesses, nextSeed } = this.#scope
    const scope: TryScope = {
      ...{ outer: this.#scope, children: [], exercise: undefined, authorizers, witnesses, nextSeed },
      effects: this.#effects.length,
    }
    this.#scope = scope
    return scope
  }

  endTry(mark: object): void {
    const scope = this.#open(mark)
    scope.outer.children.push(...scope.children)
    this.#scope = scope.outer
  }

  /** Takes back the part; what cannot be taken back is returned instead. */
  rollBack(mark: object): readonly Effect[] {
    const scope = this.#open(mark)
    const lasting = this.#effects.slice(scope.effects)
    scope.outer.children.push({ kind: 'rollback', children: scope.children })
    this.#scope = scope.outer
    return lasting
  }

  /** Closes what was left open within the part. */
  #open(mark: object): TryScope & { outer: Scope } {
    while (this.#scope !== mark) {
      const { outer, exercise, children } = this.#scope
      if (!outer) throw new Error('a part that was to be taken back is not open')
      if (exercise) {
        const { runningId: _, ...node } = exercise
        outer.children.push({ kind: 'exercise', node: { ...node, result: undefined }, children })
      } else outer.children.push(...children)
      this.#scope = outer
    }
    const { outer } = this.#scope
    if (!outer) throw new Error('a part that was to be taken back has nothing around it')
    return { ...(this.#scope as TryScope), outer } // the mark is a scope that beginTry has made
  }

  result(): Pick<Interpretation, 'nodes' | 'hidden' | 'informees'> {
    const { nodes, hidden } = numbered(normalised(this.#scope.children))
    const informees = [...new Set(nodes.flatMap(({ witnesses }) => witnesses))].sort()
    return { nodes, hidden, informees }
  }
}

interface TryScope extends Scope {
  /** How many effects there were before. */
  effects: number
}

/** Rollbacks of nothing are nothing, and one that begins or ends with another takes that one in. */
function normalised(drafts: readonly Draft[]): Draft[] {
  return drafts.flatMap((draft): Draft[] => {
    if (draft.kind !== 'rollback') return [draft]
    const children = normalised(draft.children)
    if (children.length === 0) return []
    const [first] = children
    const last = children.at(-1)
    const opened = first?.kind === 'rollback' ? [...first.children, ...children.slice(1)] : children
    const whole = last?.kind === 'rollback' && opened.length > 1 ? [...opened.slice(0, -1), ...last.children] : opened
    return [{ kind: 'rollback', children: whole }]
  })
}

/** Gives ids depth first. Exercises may lie in each other as deep as programs make them, so there is no recursion. */
function numbered(roots: readonly Draft[]): { nodes: Node[]; hidden: HiddenNode[] } {
  const nodes: Node[] = []
  const hidden: HiddenNode[] = []
  let id = 0
  type Open = { rest: Draft[]; close: () => void; visible: boolean }
  const open: Open[] = [{ rest: roots.toReversed(), close: () => undefined, visible: true }]
  for (let place = open.at(-1); place; place = open.at(-1)) {
    const draft = place.rest.pop()
    if (!draft) {
      place.close()
      open.pop()
      continue
    }
    const listed: HiddenNode[] = place.visible ? nodes : hidden
    if (draft.kind === 'leaf') {
      if (draft.node.kind === 'query') hidden.push({ ...draft.node, id })
      else listed.push({ ...draft.node, id })
      id += 1
      continue
    }
    const visible = place.visible && draft.kind === 'exercise'
    const node: HiddenNode =
      draft.kind === 'exercise'
        ? { ...draft.node, id, lastDescendant: id }
        : { kind: 'rollback', id, lastDescendant: id }
    if (visible) listed.push(node)
    else hidden.push(node)
    id += 1
    const rest = (draft.kind === 'exercise' ? normalised(draft.children) : draft.children).toReversed()
    const close = (): void => {
      node.lastDescendant = id - 1
    }
    open.push({ rest, close, visible })
  }
  return { nodes, hidden }
}
