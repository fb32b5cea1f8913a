/**
 * Which id of one participant stands for which of the other one. Neither knows the other's ids, so that two answers are alike
 * when there is one way to exchange their ids, the same through a whole conversation.
 */

/** What is exchanged: each model id for one target id and back, offsets in their order, serials by their distance. */
export class Correspondence {
  readonly #forth = new Map<string, string>()
  readonly #back = new Map<string, string>()
  readonly #offsets: Offset[] = []
  /** The first that were seen, by synchronizer. */
  readonly #serials = new Map<string, readonly [model: number, target: number]>()
  /** Undone in the opposite order. */
  readonly #trail: (() => void)[] = []

  /** Whether the two can stand for each other; from then on they do. */
  bind(model: string, target: string): boolean {
    const known = this.#forth.get(model)
    if (known !== undefined || this.#back.has(target)) return known === target
    this.#forth.set(model, target)
    this.#back.set(target, model)
    this.#trail.push(() => {
      this.#forth.delete(model)
      this.#back.delete(target)
    })
    return true
  }

  /**
   * Whether each stands where the other one does among the offsets that were seen. `isOwn`: it is that of something that the
   * conversation did. Where a ledger ends is up to others as well, so that it may fall together with one of them on one side only.
   */
  bindOffset(model: number, target: number, isOwn = true): boolean {
    const offset: Offset = { model, target, isOwn }
    if (!this.#offsets.every((other) => keepsOrder(offset, other))) return false
    this.#offsets.push(offset)
    this.#trail.push(() => void this.#offsets.splice(this.#offsets.indexOf(offset), 1))
    return true
  }

  /** Serials were seen, so that no change of vetting may come in between that is not told here. */
  get knowsSerials(): boolean {
    return this.#serials.size > 0
  }

  /** Whether both have gone as far since the first ones that were seen on that synchronizer. */
  bindSerial(synchronizer: string, model: number, target: number): boolean {
    const first = this.#serials.get(synchronizer)
    if (first) return model - first[0] === target - first[1]
    this.#serials.set(synchronizer, [model, target])
    this.#trail.push(() => void this.#serials.delete(synchronizer))
    return true
  }

  /** Tries something; what was bound on the way is forgotten where it fails. */
  attempt(something: () => boolean): boolean {
    const mark = this.#trail.length
    if (something()) return true
    for (const undo of this.#trail.splice(mark).reverse()) undo()
    return false
  }
}

interface Offset {
  model: number
  target: number
  isOwn: boolean
}

function keepsOrder(one: Offset, other: Offset): boolean {
  const [ours, theirs] = [Math.sign(one.model - other.model), Math.sign(one.target - other.target)]
  return one.isOwn && other.isOwn ? ours === theirs : ours * theirs >= 0
}
