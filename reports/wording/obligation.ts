import type { RecordedRule } from '../../record/types/record.js'
import type { Confidence, Strength } from '../../record/types/resolved-row.js'

export const confidenceWords: Record<Confidence, string> = {
  text: 'from the interface text',
  observed: 'observed on a live participant',
  read: 'read in the source code of the reference',
}

export const strengthWords: Record<Strength, string> = {
  must: 'mandatory',
  should: 'recommended',
  may: 'optional',
  client: 'obligation of clients',
}

/** `mandatory, observed on a live participant`; without the basis if it is the text. */
export const obligation = ({ strength, confidence }: { strength: Strength; confidence: Confidence }): string =>
  confidence === 'text' ? strengthWords[strength] : `${strengthWords[strength]}, ${confidenceWords[confidence]}`

/** `mandatory, section 2.1` */
export const ruleTag = ({ strength, section }: Pick<RecordedRule, 'strength' | 'section'>): string =>
  `${strengthWords[strength]}, section ${section}`

const namedPassages = 2

/** `Table 4.2 (contractId); Table 4.3 (offset); and 3 more` */
export function shortPassages({ passages = [] }: Pick<RecordedRule, 'passages'>): string {
  const more = passages.length - namedPassages
  const text = passages.slice(0, namedPassages).join('; ')
  return more > 0 ? `${text}; and ${more} more` : text
}
