import type { Slices } from '../../base/slices.js'
import type { Contract } from '../contracts/contract.js'
import type { ExerciseNode } from './transaction.js'
import {
  type Draft,
  type Leaf,
  type NumberedNodes,
  numberedNodes,
  type OpenExercise,
  rolledBack,
} from './transaction-draft.js'

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
