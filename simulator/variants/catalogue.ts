/**
 * Participants that keep to the text and use what it leaves open: other than the reference in what is not shown. No row of a
 * suite that judges by the text alone may fail there.
 */

import { variantsOfAnswers } from './answers.js'
import { variantsOfArguableLines } from './arguable.js'
import { variantsOfContents } from './contents.js'
import { variantsOfForms } from './forms.js'
import { variantsOfLeniency } from './leniency.js'
import { variantsOfOthers } from './others.js'
import { variantsOfRefusals } from './refusals.js'
import { variantsOfRequests } from './requests.js'
import { variantsOfTolerance } from './tolerance.js'
import { variantsOfUnshown } from './unshown.js'
import type { Variant } from './variant.js'

/** With these hardly a row is left that can be judged: they are tried apart from the others. */
const sparing: ReadonlySet<string> = new Set([
  ...['only-shown-commands', 'only-shown-changes', 'no-formats', 'times-as-numbers', 'past-state-never-told'],
  ...['events-with-few-members', 'events-without-ids', 'transactions-with-few-members'],
  ...['signatures-named-otherwise', 'numbers-wanted-as-json-numbers'],
])

/** What they answer with has been said before, and has to look like it: the others alter both alike. */
const nearest: readonly string[] = ['duplicates-answered-with-the-first', 'executions-answered-with-the-first']
/** They alter how texts are written, and the others read what is written. */
const farthest: readonly string[] = ['escaped-texts', 'spaced-answers']

const distanceOf = ({ name }: Variant): number => (nearest.includes(name) ? 0 : farthest.includes(name) ? 2 : 1)

/** In an order that stays: of several at once the first is nearest to the participant, and what is refused is refused as it was sent. */
export const variants: readonly Variant[] = [
  ...variantsOfRefusals,
  ...variantsOfAnswers,
  ...variantsOfLeniency,
  ...variantsOfRequests,
  ...variantsOfOthers,
  ...variantsOfForms,
  ...variantsOfContents,
  ...variantsOfUnshown,
  ...variantsOfTolerance,
  ...variantsOfArguableLines,
]
  .map((one): Variant => (sparing.has(one.name) ? { ...one, isSparing: true } : one))
  .toSorted((one, other) => distanceOf(one) - distanceOf(other))

const sturdy = (several: readonly Variant[]): Variant[] => several.filter(({ name }) => !sparing.has(name))

/** All of them, in as few participants as leave something to judge. */
export const variantsAtOnce: Readonly<Record<string, readonly Variant[]>> = {
  refusals: variantsOfRefusals,
  answers: sturdy(variantsOfAnswers),
  requests: sturdy(variantsOfRequests),
  leniency: variantsOfLeniency,
  others: variantsOfOthers,
  forms: variantsOfForms,
  contents: variantsOfContents,
  unshown: sturdy(variantsOfUnshown),
  tolerance: variantsOfTolerance,
  arguable: variantsOfArguableLines,
  sparing: variants.filter(({ isSparing }) => isSparing),
}
