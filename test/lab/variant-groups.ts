/** All permitted variants in few groups. The variants of a group leave rows to judge when one simulator has all of them. */

import { variantsOfAcceptedRequests } from '../../lab/variants/accepted-requests.js'
import { variantsOfAnswers } from '../../lab/variants/answers.js'
import { variantsOfArguableLines } from '../../lab/variants/arguable.js'
import { variants } from '../../lab/variants/catalogue.js'
import { variantsOfContents } from '../../lab/variants/contents.js'
import { variantsOfForms } from '../../lab/variants/forms.js'
import { variantsOfLenientRequests } from '../../lab/variants/lenient-requests.js'
import { variantsOfOtherClients } from '../../lab/variants/other-clients.js'
import { variantsOfRejectedRequests } from '../../lab/variants/rejected-requests.js'
import { variantsOfRejections } from '../../lab/variants/rejections.js'
import { variantsOfSpellings } from '../../lab/variants/spellings.js'
import { variantsOfUnsupportedValues } from '../../lab/variants/unsupported-values.js'
import type { Variant } from '../../lab/variants/variant.js'

const sparing = variants.filter(({ isSparing }) => isSparing)

const withoutSparing = (several: readonly Variant[]): Variant[] =>
  several.filter(({ name }) => !sparing.some((one) => one.name === name))

export const variantGroups: Readonly<Record<string, readonly Variant[]>> = {
  refusals: variantsOfRejections,
  answers: withoutSparing(variantsOfAnswers),
  requests: withoutSparing(variantsOfRejectedRequests),
  leniency: variantsOfLenientRequests,
  others: variantsOfOtherClients,
  forms: variantsOfForms,
  contents: variantsOfContents,
  unshown: withoutSparing(variantsOfUnsupportedValues),
  tolerance: variantsOfAcceptedRequests,
  arguable: variantsOfArguableLines,
  spellings: variantsOfSpellings,
  sparing,
}
