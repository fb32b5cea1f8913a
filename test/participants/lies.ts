/** All lies that test participants tell; a suite should find out each of them by a row that cites one of its rules. */
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
