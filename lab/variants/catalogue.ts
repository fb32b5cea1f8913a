/** All permitted variants. No row judged by the text alone fails against one of them. */
import { variantsOfAcceptedRequests } from './accepted-requests.js'
import { variantsOfAnswers } from './answers.js'
import { variantsOfArguableLines } from './arguable.js'
import { variantsOfContents } from './contents.js'
import { variantsOfForms } from './forms.js'
import { variantsOfLenientRequests } from './lenient-requests.js'
import { variantsOfOtherClients } from './other-clients.js'
import { variantsOfRejectedRequests } from './rejected-requests.js'
import { variantsOfRejections } from './rejections.js'
import { variantsOfSpellings } from './spellings.js'
import { variantsOfUnsupportedValues } from './unsupported-values.js'
import type { Variant } from './variant.js'

/** They leave few rows to judge. */
const sparing: ReadonlySet<string> = new Set([
  ...['only-shown-commands', 'only-shown-changes', 'no-formats', 'times-as-numbers'],
  ...['events-with-few-members', 'events-without-ids', 'transactions-with-few-members'],
  ...['signatures-named-otherwise', 'numbers-wanted-as-json-numbers'],
])

/** They repeat earlier answers, before other variants change them. */
const nearest: readonly string[] = ['duplicates-answered-with-the-first', 'executions-answered-with-the-first']
/** They change the encoding that other variants read. */
const farthest: readonly string[] = ['escaped-texts', 'spaced-answers']

const distanceOf = ({ name }: Variant): number => (nearest.includes(name) ? 0 : farthest.includes(name) ? 2 : 1)

/** In a fixed order, the first nearest to the participant. A variant that rejects a request sees it as the client sent it. */
export const variants: readonly Variant[] = [
  ...variantsOfRejections,
  ...variantsOfAnswers,
  ...variantsOfLenientRequests,
  ...variantsOfRejectedRequests,
  ...variantsOfOtherClients,
  ...variantsOfForms,
  ...variantsOfContents,
  ...variantsOfUnsupportedValues,
  ...variantsOfAcceptedRequests,
  ...variantsOfArguableLines,
  ...variantsOfSpellings,
]
  .map((one): Variant => (sparing.has(one.name) ? { ...one, isSparing: true } : one))
  .toSorted((one, other) => distanceOf(one) - distanceOf(other))
