/** Mutants with a fault in some of their answers. */
import type { Interceptor } from '../../simulator/participant/participant.js'
import type { Mutant } from './mutant.js'

/** Milliseconds after its end in which a request still counts as concurrent. */
const overlap = 100

/** Detects concurrent requests. */
export class Load {
  #running = 0
  #ended = Number.NEGATIVE_INFINITY

  /** Returns true if other requests are concurrent. */
  begin(): boolean {
    const isConcurrent = this.#running > 0 || performance.now() - this.#ended < overlap
    this.#running += 1
    return isConcurrent
  }

  end(): void {
    this.#running -= 1
    this.#ended = performance.now()
  }
}

/** `begin` decides whether a request meets the fault. `end` is called after the request. */
interface Trigger {
  begin(): boolean
  end(): void
}

function triggered(mutant: Mutant, name: string, sentence: string, createTrigger: () => Trigger): Mutant {
  const { interceptor: create } = mutant
  if (!create) throw new Error(`the mutant ${mutant.name} has no interceptor`)
  const interceptor: Interceptor = (stage) => {
    const handleWrongly = create(stage)
    const trigger = createTrigger()
    return async (request) => {
      if (request.operation !== mutant.operation) return stage.handle(request)
      const isWrong = trigger.begin()
      try {
        return await (isWrong ? handleWrongly(request) : stage.handle(request))
      } finally {
        trigger.end()
      }
    }
  }
  return {
    ...mutant,
    name: `${mutant.name}-${name}`,
    intermittent: true,
    sentence: `${sentence}: ${mutant.sentence}`,
    interceptor,
  }
}

export const everyThird = (mutant: Mutant): Mutant =>
  triggered(mutant, 'every-third-time', 'On every third request', () => {
    let count = 0
    return {
      begin: () => {
        count += 1
        return count % 3 === 0
      },
      end: () => undefined,
    }
  })

export const underLoad = (mutant: Mutant): Mutant =>
  triggered(mutant, 'under-load', 'During and shortly after concurrent requests', () => new Load())
