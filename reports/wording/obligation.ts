import type { RecordedRule } from '../../record/types/record.js'
import type { Confidence, Strength } from '../../record/types/resolved-row.js'

/** How an expectation is known, in the words of all reports. */
export const confidenceWords: Record<Confidence, string> = {
  text: 'from the interface text',
  observed: 'observed on a live participant',
  read: 'read in the source code of the reference',
}

/** Strengths as adjectives. */
export const strengthWords: Record<Strength, string> = {
  must: 'mandatory',
  should: 'recommended',
  may: 'optional',
  client: 'obligation of clients',
}

/** How much an expectation obliges, and how it is known where the text does not say it: `must, observed on a live participant`. */
export const obligation = ({ strength, confidence }: { strength: Strength; confidence: Confidence }): string =>
  confidence === 'text' ? strength : `${strength}, ${confidenceWords[confidence]}`

/** Passages that the short form names. */
const named = 2

/** `must, section 2.1` */
export const ruleTag = ({ strength, section }: RecordedRule): string => `${strength}, section ${section}`

/** Where the text says the rule, the first few passages only: `Table 4.2 (contractId), and 3 more passages`; empty where the record does not tell. */
export function shortPassages({ passages = [] }: Pick<RecordedRule, 'passages'>): string {
  const more = passages.length - named
  const told = passages.slice(0, named).join('; ')
  return more > 0 ? `${told}; and ${more} more` : told
}
