/** By HTTP a server may send any number of interim answers (1xx) before the answer itself; each costs time. */

const most = 20

export class TooManyInterimAnswers extends Error {
  override readonly name = 'TooManyInterimAnswers'

  constructor() {
    super(`more than ${most} interim answers (1xx) came before the answer itself`)
  }
}

/** To be called for each interim answer of one exchange. It throws `TooManyInterimAnswers`. */
export function countInterimAnswers(): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > most) throw new TooManyInterimAnswers()
  }
}
