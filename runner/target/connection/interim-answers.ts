/** Limits interim answers (1xx), of which HTTP permits any number. */

const limit = 20

export class TooManyInterimAnswers extends Error {
  override readonly name = 'TooManyInterimAnswers'

  constructor() {
    super(`more than ${limit} interim answers (1xx) before the final answer`)
  }
}

/** The function counts the interim answers of one exchange. It throws `TooManyInterimAnswers`. */
export function countInterimAnswers(): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > limit) throw new TooManyInterimAnswers()
  }
}
