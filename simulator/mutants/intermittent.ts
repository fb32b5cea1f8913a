/** Participants that are right most of the time: a mutant that is there now and then. */
import type { Asked } from '../participant/door.js'
import type { Doorkeeper } from '../participant/participant.js'
import type { Mutant } from './mutant.js'

/** Milliseconds for which an ended call is felt: those of one process hardly ever overlap. */
const justNow = 100

/** Whether calls come one upon the other. */
export class Load {
  #running = 0
  #ended = Number.NEGATIVE_INFINITY

  /** A call begins; whether others are felt. */
  begins(): boolean {
    const isFelt = this.#running > 0 || performance.now() - this.#ended < justNow
    this.#running += 1
    return isFelt
  }

  ends(): void {
    this.#running -= 1
    this.#ended = performance.now()
  }
}

/** Somebody who decides for each call, and hears when it ends. */
type Mood = () => { begins(asked: Asked): boolean; ends(): void }

/** The mutant where its door is, and only in that mood. */
function moody(mutant: Mutant, name: string, sentence: string, mood: Mood): Mutant {
  const { door } = mutant
  if (!door) throw new Error(`${mutant.name} is not at the door`)
  const keeper: Doorkeeper = (stage) => {
    const otherwise = door(stage)
    const { begins, ends } = mood()
    return async (asked) => {
      if (asked.operation !== mutant.operation) return stage.ask(asked)
      const isOtherwise = begins(asked)
      try {
        return await (isOtherwise ? otherwise(asked) : stage.ask(asked))
      } finally {
        ends()
      }
    }
  }
  return {
    ...mutant,
    name: `${mutant.name}-${name}`,
    intermittent: true,
    sentence: `${sentence}: ${mutant.sentence}`,
    door: keeper,
  }
}

export const everyThird = (mutant: Mutant): Mutant =>
  moody(mutant, 'every-third-time', 'On every third request', () => {
    let count = 0
    return {
      begins: () => {
        count += 1
        return count % 3 === 0
      },
      ends: () => undefined,
    }
  })

export const underLoad = (mutant: Mutant): Mutant =>
  moody(mutant, 'under-load', 'During and shortly after concurrent requests', () => {
    const load = new Load()
    return { begins: () => load.begins(), ends: () => load.ends() }
  })
