/** Makes a conversation as short and as plain as it can be while the two sides still differ in the same way. */
import type { Turn } from '../talk/conversation.js'
import { neededTurns, withoutIdleCaptures } from './needed-turns.js'
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
}

/** `turns` end with the one at which the sides differ. */
export async function shrink(turns: readonly Turn[], stillDiffers: StillDiffers, budget: Budget): Promise<Shrunk> {
  let best = [...turns]
  let attempts = 0
  const isLeft = (): boolean => attempts < budget.attempts && performance.now() < budget.until
  const attempt = async (candidate: readonly Turn[]): Promise<boolean> => {
    attempts += 1
    if (!(await stillDiffers(candidate))) return false
    best = [...candidate]
    return true
  }
  const needed = neededTurns(best)
  if (needed.length < best.length) await attempt(needed)
  for (let size = best.length >> 1; size >= 1 && isLeft(); size >>= 1) {
    for (let from = best.length - 1 - size; from >= 0 && isLeft(); from -= size) {
      await attempt(best.filter((_, index) => index < from || index >= from + size))
    }
  }
  for (let at = best.length - 1; at >= 0 && isLeft(); at -= 1) {
    for (let isSimpler = true; isSimpler && isLeft(); ) {
      isSimpler = false
      for (const simpler of simplerTurns(
        best[at] ?? {
          about: '',
          operation: '',
          actor: '',
          request: { method: '', path: '', headers: {} },
          capture: {},
        },
      )) {
        if (!isLeft()) break
        isSimpler = await attempt(best.with(at, simpler))
        if (isSimpler) break
      }
    }
  }
  return { turns: withoutIdleCaptures(best), attempts }
}
