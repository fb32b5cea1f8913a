/** All permitted variants in few groups. The variants of a group leave rows to judge when one simulator has all of them. */

import { variantsOfAcceptedRequests } from '../../proof/variants/accepted-requests.js'
import { variantsOfAnswers } from '../../proof/variants/answers.js'
import { variantsOfArguableLines } from '../../proof/variants/arguable.js'
import { variants } from '../../proof/variants/catalogue.js'
import { variantsOfContents } from '../../proof/variants/contents.js'
import { variantsOfForms } from '../../proof/variants/forms.js'
import { variantsOfLenientRequests } from '../../proof/variants/lenient-requests.js'
import { variantsOfOtherClients } from '../../proof/variants/other-clients.js'
import { variantsOfRejectedRequests } from '../../proof/variants/rejected-requests.js'
import { variantsOfRejections } from '../../proof/variants/rejections.js'
import { variantsOfSpellings } from '../../proof/variants/spellings.js'
import { variantsOfUnsupportedValues } from '../../proof/variants/unsupported-values.js'
import type { Variant } from '../../proof/variants/variant.js'

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
