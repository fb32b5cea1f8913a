/** Ids correspond one to one, offsets by their order, serials by their distance, clock readings by their instants. */
export class Correspondence {
  /** Names before digests, which the operator of a participant chooses. */
  readonly #names = new Map<string, string>()
  readonly #instants = new Map<string, string>()
  /** For each reading of the target, the first corresponding one of the reference, in milliseconds since 1970. */
  readonly #firstInstants = new Map<string, number>()
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

  /** Both are `name::digest`, such as ids of participants. */
  bindName(reference: string, target: string): void {
    const [ours, theirs] = [reference, target].map((id) => namedId.exec(id)?.[1])
    if (ours !== undefined && theirs !== undefined && ours !== theirs) this.#names.set(reference, `${theirs}::`)
  }

  /** With the names of the target and the digests of the reference. */
  renamed(reference: string): string {
    if (!reference.includes('::')) return reference
    let text = reference
    for (const [id, name] of this.#names) text = text.replaceAll(id, name + id.slice(id.lastIndexOf('::') + 2))
    return text
  }

  /**
   * False if one reading of the reference corresponds to two of the target. The clock of a target may stand still, so
   * near readings of the reference may correspond to one of the target. Readings in ISO 8601.
   */
  bindTime(reference: string, target: string): boolean {
    const known = this.#instants.get(reference)
    if (known !== undefined) return known === target
    const time = Date.parse(reference)
    const first = this.#firstInstants.get(target)
    if (first !== undefined && Math.abs(time - first) > stillMilliseconds) return false
    this.#instants.set(reference, target)
    if (first === undefined) this.#firstInstants.set(target, time)
    this.#trail.push(() => {
      this.#instants.delete(reference)
      if (first === undefined) this.#firstInstants.delete(target)
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

const namedId = /^(.+)::1220[0-9a-f]{64}$/

/** A clock may stand still for this time. */
const stillMilliseconds = 1000

interface Offset {
  reference: number
  target: number
  isOwn: boolean
}

function keepsOrder(one: Offset, other: Offset): boolean {
  const [ours, theirs] = [Math.sign(one.reference - other.reference), Math.sign(one.target - other.target)]
  return one.isOwn && other.isOwn ? ours === theirs : ours * theirs >= 0
}
