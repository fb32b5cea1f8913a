/**
 * Participants that keep to the text and use what it leaves open: other than the reference in what is not shown. No row of a
 * suite that judges by the text alone may fail there.
 */

import { variationsOfAnswers } from './answers.js'
import { variationsOfLeniency } from './leniency.js'
import { variationsOfRefusals } from './refusals.js'
import { variationsOfRequests } from './requests.js'
import type { Variation } from './variation.js'

/** In an order that stays. */
export const variations: readonly Variation[] = [
  ...variationsOfRefusals,
  ...variationsOfAnswers,
  ...variationsOfRequests,
  ...variationsOfLeniency,
]

/** With these hardly a row is left that can be judged: they are tried apart from the others. */
const sparing: ReadonlySet<string> = new Set([
  ...['only-shown-commands', 'only-shown-changes', 'no-formats', 'times-as-numbers', 'past-state-never-told'],
  ...['events-with-few-members', 'events-without-ids', 'transactions-with-few-members'],
])

const isSparing = ({ name }: Variation): boolean => sparing.has(name)

/** All of them, in as few participants as leave something to judge. */
export const variationsAtOnce: Readonly<Record<string, readonly Variation[]>> = {
  refusals: variationsOfRefusals,
  answers: variationsOfAnswers.filter((one) => !isSparing(one)),
  requests: variationsOfRequests.filter((one) => !isSparing(one)),
  leniency: variationsOfLeniency,
  sparing: variations.filter(isSparing),
}
