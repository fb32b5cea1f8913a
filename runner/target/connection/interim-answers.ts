/** Limits interim answers (1xx): HTTP permits any number before the final answer, and each costs time. */

const limit = 20

export class TooManyInterimAnswers extends Error {
  override readonly name = 'TooManyInterimAnswers'

  constructor() {
    super(`more than ${limit} interim answers (1xx) before the final answer`)
  }
}

/** Returns a function to call for each interim answer of one exchange. It throws `TooManyInterimAnswers`. */
export function countInterimAnswers(): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > limit) throw new TooManyInterimAnswers()
  }
}
