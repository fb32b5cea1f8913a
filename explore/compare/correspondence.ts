/** Ids correspond one to one, offsets by their order, serials by their distance. */
export class Correspondence {
  readonly #targetIds = new Map<string, string>()
  readonly #referenceIds = new Map<string, string>()
  readonly #offsets: Offset[] = []
  readonly #serials = new Map<string, readonly [reference: number, target: number]>()
  readonly #trail: (() => void)[] = []

  /** False if one of the ids already corresponds to another id. */
  bind(reference: string, target: string): boolean {
    const known = this.#targetIds.get(reference)
    if (known !== undefined || this.#referenceIds.has(target)) return known === target
    this.#targetIds.set(reference, target)
    this.#referenceIds.set(target, reference)
    this.#trail.push(() => {
      this.#targetIds.delete(reference)
      this.#referenceIds.delete(target)
    })
    return true
  }

  /**
   * False if the positions among earlier offsets differ. `isOwn`: the sequence caused the offset. Other clients move a
   * ledger end, so it may equal an earlier offset on one side only.
   */
  bindOffset(reference: number, target: number, isOwn = true): boolean {
    const offset: Offset = { reference, target, isOwn }
    if (!this.#offsets.every((other) => keepsOrder(offset, other))) return false
    this.#offsets.push(offset)
    this.#trail.push(() => void this.#offsets.splice(this.#offsets.indexOf(offset), 1))
    return true
  }

  get knowsSerials(): boolean {
    return this.#serials.size > 0
  }

  bindSerial(synchronizer: string, reference: number, target: number): boolean {
    const first = this.#serials.get(synchronizer)
    if (first) return reference - first[0] === target - first[1]
    this.#serials.set(synchronizer, [reference, target])
    this.#trail.push(() => void this.#serials.delete(synchronizer))
    return true
  }

  /** Undoes its bindings if it returns false. */
  attempt(comparison: () => boolean): boolean {
    const mark = this.#trail.length
    if (comparison()) return true
    for (const undo of this.#trail.splice(mark).reverse()) undo()
    return false
  }
}

interface Offset {
  reference: number
  target: number
  isOwn: boolean
}

function keepsOrder(one: Offset, other: Offset): boolean {
  const [ours, theirs] = [Math.sign(one.reference - other.reference), Math.sign(one.target - other.target)]
  return one.isOwn && other.isOwn ? ours === theirs : ours * theirs >= 0
}
