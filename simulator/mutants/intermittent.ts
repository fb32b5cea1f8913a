/** Participants that are right most of the time: a mutant that is there now and then. */
import type { InterceptedRequest } from '../participant/interceptor.js'
import type { Interceptor } from '../participant/participant.js'
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

/** Decides for each request whether it has the fault, and is called when the request ends. */
type Mood = () => { begins(request: InterceptedRequest): boolean; ends(): void }

/** The mutant with an interceptor that has the fault only if the mood permits it. */
function moody(mutant: Mutant, name: string, sentence: string, mood: Mood): Mutant {
  const { interceptor } = mutant
  if (!interceptor) throw new Error(`${mutant.name} is not at the door`)
  const keeper: Interceptor = (stage) => {
    const otherwise = interceptor(stage)
    const { begins, ends } = mood()
    return async (request) => {
      if (request.operation !== mutant.operation) return stage.handle(request)
      const isOtherwise = begins(request)
      try {
        return await (isOtherwise ? otherwise(request) : stage.handle(request))
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
    interceptor: keeper,
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
