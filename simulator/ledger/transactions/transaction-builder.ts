/** The nodes of a transaction while it comes into being: what lies in what, with whose authority, and what was taken back. */
import type { Slices } from '../../base/slices.js'
import type { Contract } from '../contracts/contract.js'
import type { ExerciseNode } from './transaction.js'
import {
  type Draft,
  type Leaf,
  type NumberedNodes,
  numberedNodes,
  type OpenExercise,
  takenBack,
} from './transaction-draft.js'

/** What is open: the transaction, an exercise, or a part that may be taken back. */
interface Scope {
  outer: Scope | undefined
  children: Draft[]
  exercise: OpenExercise | undefined
  /** Whose authority there is. */
  authorizers: readonly string[]
  /** Who learns of a node because he learns of the one above. */
  witnesses: readonly string[]
  /** The seed of the next create or exercise directly below. */
  nextSeed(): Buffer
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

  /** The choices that are being exercised, the innermost first. */
  get exercises(): OpenExercise[] {
    const found: OpenExercise[] = []
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
    addAll(scope.outer.children, scope.children)
    this.#scope = scope.outer
  }

  /** Takes back the part; what cannot be taken back is returned instead. */
  rollBack(mark: object): readonly Effect[] {
    const scope = this.#open(mark)
    const lasting = this.#effects.slice(scope.effects)
    addAll(scope.outer.children, takenBack(scope.children))
    this.#scope = scope.outer
    return lasting
  }

  /** Closes what was left open within the part. */
  #open(mark: object): TryScope & { outer: Scope } {
    while (this.#scope !== mark) {
      const { outer, exercise, children } = this.#scope
      if (!outer) throw new Error('a part that was to be taken back is not open')
      if (exercise) {
        outer.children.push({ kind: 'exercise', node: Object.assign(exercise, { result: undefined }), children })
      } else addAll(outer.children, children)
      this.#scope = outer
    }
    const { outer } = this.#scope
    if (!outer) throw new Error('a part that was to be taken back has nothing around it')
    return { ...(this.#scope as TryScope), outer } // the mark is a scope that beginTry has made
  }

  /** Ends the transaction. */
  result(): Slices<NumberedNodes> {
    return numberedNodes(this.#scope.children)
  }
}

/** One by one: a call takes only so many arguments. */
function addAll(list: Draft[], added: readonly Draft[]): void {
  for (const draft of added) list.push(draft)
}

interface TryScope extends Scope {
  /** How many effects there were before. */
  effects: number
}
