/** Participants that are right most of the time: a deviation that is there now and then. */
import type { Asked } from '../participant/door.js'
import type { Doorkeeper } from '../participant/participant.js'
import type { Deviation } from './deviation.js'

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
    sentence: `${sentence}: ${deviation.sentence}`,
    door: keeper,
  }
}

export const everyThird = (deviation: Deviation): Deviation =>
  moody(deviation, 'every-third-time', 'At every third call', () => {
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
  moody(deviation, 'under-load', 'While other calls of it are under way', () => {
    let running = 0
    return {
      begins: () => {
        running += 1
        return running > 1
      },
      ends: () => {
        running -= 1
      },
    }
  })
