/** Participants that are right most of the time: a deviation that is there now and then. */
import type { Asked } from '../participant/door.js'
import type { Doorkeeper } from '../participant/participant.js'
import type { Deviation } from './deviation.js'

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

/** The deviation where its door is, and only in that mood. */
function moody(deviation: Deviation, name: string, sentence: string, mood: Mood): Deviation {
  const { door } = deviation
  if (!door) throw new Error(`${deviation.name} is not at the door`)
  const keeper: Doorkeeper = (stage) => {
    const otherwise = door(stage)
    const { begins, ends } = mood()
    return async (asked) => {
      if (asked.operation !== deviation.operation) return stage.ask(asked)
      const isOtherwise = begins(asked)
      try {
        return await (isOtherwise ? otherwise(asked) : stage.ask(asked))
      } finally {
        ends()
      }
    }
  }
  return {
    ...deviation,
    name: `${deviation.name}-${name}`,
    intermittent: true,
    sentence: `${sentence}: ${deviation.sentence}`,
    door: keeper,
  }
}

export const everyThird = (deviation: Deviation): Deviation =>
  moody(deviation, 'every-third-time', 'On every third request', () => {
    let count = 0
    return {
      begins: () => {
        count += 1
        return count % 3 === 0
      },
      ends: () => undefined,
    }
  })

export const underLoad = (deviation: Deviation): Deviation =>
  moody(deviation, 'under-load', 'During and shortly after concurrent requests', () => {
    const load = new Load()
    return { begins: () => load.begins(), ends: () => load.ends() }
  })
