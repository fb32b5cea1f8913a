/** Takes the places of a text between which something is to be hidden, and what is said in its stead. */
export type Hide = (from: number, to: number, label: string) => void

/** The places of a text that are hidden, by what is said in their stead. What is hidden later counts more. */
export class HiddenPlaces {
  readonly #length: number
  /** Of each unit, the number of its label; 0 is left as it is. Made when it is needed, which is seldom. */
  #labels: Uint32Array | undefined
  readonly #numbers = new Map<string, number>()

  /** `length`: of the text, in UTF-16 units. */
  constructor(length: number) {
    this.#length = length
  }

  hide(from: number, to: number, label: string): void {
    let number = this.#numbers.get(label)
    if (number === undefined) {
      number = this.#numbers.size + 1
      this.#numbers.set(label, number)
    }
    this.#labels ??= new Uint32Array(this.#length)
    for (let place = from; place < to; place += 1) this.#labels[place] = number
  }

  /** The text with a note in place of each stretch that is hidden. */
  applyTo(text: string): string {
    const labels = this.#labels
    if (!labels) return text
    const notes = ['', ...[...this.#numbers.keys()].map((label) => `[redacted: ${label}]`)]
    const parts: string[] = []
    let from = 0
    for (let to = 1; to <= labels.length; to += 1) {
      const label = labels[from] ?? 0
      if (to < labels.length && labels[to] === label) continue
      parts.push(label === 0 ? text.slice(from, to) : (notes[label] ?? ''))
      from = to
    }
    return parts.join('')
  }
}
