/**
 * Participants that keep to the text and use what it leaves open: other than the reference in what is not shown. No row of a
 * suite that judges by the text alone may fail there.
 */

import { variationsOfAnswers } from './answers.js'
import { variationsOfArguableLines } from './arguable.js'
import { variationsOfContents } from './contents.js'
import { variationsOfForms } from './forms.js'
import { variationsOfLeniency } from './leniency.js'
import { variationsOfOthers } from './others.js'
import { variationsOfRefusals } from './refusals.js'
import { variationsOfRequests } from './requests.js'
import { variationsOfTolerance } from './tolerance.js'
import { variationsOfUnshown } from './unshown.js'
import type { Variation } from './variation.js'

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

const distanceOf = ({ name }: Variation): number => (nearest.includes(name) ? 0 : farthest.includes(name) ? 2 : 1)

/** In an order that stays: of several at once the first is nearest to the participant, and what is refused is refused as it was sent. */
export const variations: readonly Variation[] = [
  ...variationsOfRefusals,
  ...variationsOfAnswers,
  ...variationsOfLeniency,
  ...variationsOfRequests,
  ...variationsOfOthers,
  ...variationsOfForms,
  ...variationsOfContents,
  ...variationsOfUnshown,
  ...variationsOfTolerance,
  ...variationsOfArguableLines,
]
  .map((one): Variation => (sparing.has(one.name) ? { ...one, isSparing: true } : one))
  .toSorted((one, other) => distanceOf(one) - distanceOf(other))

const sturdy = (several: readonly Variation[]): Variation[] => several.filter(({ name }) => !sparing.has(name))

/** All of them, in as few participants as leave something to judge. */
export const variationsAtOnce: Readonly<Record<string, readonly Variation[]>> = {
  refusals: variationsOfRefusals,
  answers: sturdy(variationsOfAnswers),
  requests: sturdy(variationsOfRequests),
  leniency: variationsOfLeniency,
  others: variationsOfOthers,
  forms: variationsOfForms,
  contents: variationsOfContents,
  unshown: sturdy(variationsOfUnshown),
  tolerance: variationsOfTolerance,
  arguable: variationsOfArguableLines,
  sparing: variations.filter(({ isSparing }) => isSparing),
}
