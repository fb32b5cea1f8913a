/**
 * Participants that keep to the text and use what it leaves open: other than the reference in what is not shown. No row of a
 * suite that judges by the text alone may fail there.
 */
import type { Freedom } from './freedom.js'
import { freedomsOfAnswers } from './freedoms-of-answers.js'
import { freedomsOfLeniency } from './freedoms-of-leniency.js'
import { freedomsOfRefusals } from './freedoms-of-refusals.js'
import { freedomsOfRequests } from './freedoms-of-requests.js'

export const freedoms: readonly Freedom[] = [
  ...freedomsOfRefusals,
  ...freedomsOfAnswers,
  ...freedomsOfRequests,
  ...freedomsOfLeniency,
]

/** With these hardly a row is left that can be judged: they are tried apart from the others. */
const sparing: ReadonlySet<string> = new Set([
  ...['only-shown-commands', 'only-shown-changes', 'no-formats', 'times-as-numbers', 'past-state-never-told'],
  ...['events-with-few-members', 'events-without-ids', 'transactions-with-few-members'],
])

const isSparing = ({ name }: Freedom): boolean => sparing.has(name)

/** All of them, in as few participants as leave something to judge. */
export const freedomsAtOnce: Readonly<Record<string, readonly Freedom[]>> = {
  refusals: freedomsOfRefusals,
  answers: freedomsOfAnswers.filter((one) => !isSparing(one)),
  requests: freedomsOfRequests.filter((one) => !isSparing(one)),
  leniency: freedomsOfLeniency,
  sparing: freedoms.filter(isSparing),
}
