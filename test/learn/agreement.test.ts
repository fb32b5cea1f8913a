/** The simulator of each line returns answers of the recorded shapes. `npm run test:endurance` compares whole runs. */
import t from 'tap'
import { compareLine } from '../support/replay/compare-line.js'

t.test('answers of a sample of rows have the recorded shapes', async (t) => {
  for (const line of ['3.4', '3.5', '3.6'] as const) {
    const { compared, same, differing } = await compareLine(line, ['EWT-S*', 'VET-N*'])
    t.ok(compared > 50, `${line}: ${compared} answers`)
    t.ok(same / compared >= (line === '3.5' ? 0.995 : 0.99), `${line}: ${same} of ${compared}; ${differing.join(', ')}`)
  }
})
