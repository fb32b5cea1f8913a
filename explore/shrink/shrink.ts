/** Makes a conversation as short and as plain as it can be while the two sides still differ in the same way. */
import type { Turn } from '../talk/conversation.js'
import { eventsLost, withEarlierEvents } from './earlier-events.js'
import { waits, withLaterLook, withLookAtOnce } from './later-look.js'
import { neededTurns, withoutIdleCaptures } from './needed-turns.js'
import { retargeted } from './retarget.js'
import { simplerTurns } from './simpler-turns.js'

/** Whether both sides, asked anew, differ at the last of these turns as they did before. */
export type StillDiffers = (turns: readonly Turn[]) => Promise<boolean>

interface Budget {
  attempts: number
  /** Of `performance.now()`. */
  until: number
}

export interface Shrunk {
  turns: Turn[]
  attempts: number
  /** It only shows to those who wait. */
  isLate: boolean
}

/** `turns` end with the one at which the sides differ. */
export async function shrink(turns: readonly Turn[], stillDiffers: StillDiffers, budget: Budget): Promise<Shrunk> {
  const shrinking = new Shrinking(turns, stillDiffers, budget)
  await shrinking.hurry()
  await shrinking.shorten()
  await shrinking.waitLonger()
  await shrinking.simplify()
  // What plainer turns no longer speak of need not be there either.
  await shrinking.shorten()
  await shrinking.hurry()
  return {
    turns: withoutIdleCaptures(shrinking.best).map(asSent),
    attempts: shrinking.attempts,
    isLate: shrinking.isLate,
  }
}

/** What it would have been is nobody's business any more. */
const asSent = ({ calm: _, ...turn }: Turn): Turn => turn

/** Turns that are no trouble to read. */
const few = 4

class Shrinking {
  best: Turn[]
  attempts = 0
  isLate = false
  readonly #stillDiffers: StillDiffers
  readonly #budget: Budget

  constructor(turns: readonly Turn[], stillDiffers: StillDiffers, budget: Budget) {
    this.best = [...turns]
    this.#stillDiffers = stillDiffers
    this.#budget = budget
  }

  /** Fewer turns: those that others need, then without more and more of them. */
  async shorten(): Promise<void> {
    const needed = neededTurns(this.best)
    if (needed.length < this.best.length) await this.#attempt(needed)
    for (const candidate of retargeted(this.best)) if (this.#isLeft() && (await this.#attempt(candidate))) break
    for (let size = this.best.length >> 1; size >= 1 && this.#isLeft(); size >>= 1) {
      for (let from = this.best.length - 1 - size; from >= 0 && this.#isLeft(); from -= size) {
        await this.#attempt(this.best.filter((_, index) => index < from || index >= from + size))
      }
    }
  }

  /** Nobody waits for what is there at once. */
  async hurry(): Promise<void> {
    const hasty = withLookAtOnce(this.best)
    this.isLate = hasty !== undefined && !(await this.#attempt(hasty))
  }

  /** Kept only where it makes for fewer turns. */
  async waitLonger(): Promise<void> {
    for (const milliseconds of waits) {
      const earlier = this.best
      const patient = withLaterLook(earlier, milliseconds)
      if (!patient || earlier.length <= few || !this.#isLeft()) continue
      if (await this.#attempt(patient)) await this.shorten()
      if (this.best.length === earlier.length) this.best = earlier
    }
  }

  /** Plainer turns, the last one first: it is the one that is read. */
  async simplify(): Promise<void> {
    for (let at = this.best.length - 1; at >= 0; at -= 1) while (await this.#simplifyOnce(at));
  }

  async #simplifyOnce(at: number): Promise<boolean> {
    const turn = this.best[at]
    if (!turn) return false
    for (const simpler of simplerTurns(turn)) {
      if (!this.#isLeft()) return false
      if (await this.#attempt(this.best.with(at, simpler))) return true
      for (const events of eventsLost(turn, simpler)) {
        const shifted = this.best
          .with(at, simpler)
          .map((one, index) => (index > at ? withEarlierEvents(one, events) : one))
        if (this.#isLeft() && (await this.#attempt(shifted))) return true
      }
    }
    return false
  }

  #isLeft(): boolean {
    return this.attempts < this.#budget.attempts && performance.now() < this.#budget.until
  }

  async #attempt(candidate: readonly Turn[]): Promise<boolean> {
    this.attempts += 1
    if (!(await this.#stillDiffers(candidate))) return false
    this.best = [...candidate]
    return true
  }
}
