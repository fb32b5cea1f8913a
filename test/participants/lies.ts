/** All lies that test participants tell; a suite should find out each of them by a row that cites one of its rules. */
import { inventedAnswers } from './invented-answers.js'
import { inventedManners } from './invented-manners.js'
import { inventedRequests } from './invented-requests.js'
import { liesAboutAnswers } from './lies-about-answers.js'
import { liesAboutRefusals } from './lies-about-refusals.js'
import { liesAboutSubmissions } from './lies-about-submissions.js'
import { liesAboutVetting } from './lies-about-vetting.js'
import type { Lie } from './stage.js'

export const lies: readonly Lie[] = [
  ...liesAboutRefusals,
  ...liesAboutSubmissions,
  ...liesAboutVetting,
  ...liesAboutAnswers,
]

/** Further ones, which nobody has told us of. */
export const inventions: readonly Lie[] = [...inventedAnswers, ...inventedRequests, ...inventedManners]
