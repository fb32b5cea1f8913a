/** Participants that follow the text but for one deviation: what the suite finds by the text alone. */
import type { Deviation } from './deviation.js'

/** The same deviation of a participant that follows the text, so that it is judged by the text alone. */
export const judgedByText = (deviation: Deviation): Deviation => ({
  ...deviation,
  name: `${deviation.name}-by-the-text`,
  sentence: `Otherwise as the interface text states: ${deviation.sentence}`,
  where: { ...deviation.where, behaviour: 'interface' },
})
