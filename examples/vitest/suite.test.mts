import { runSuite, startSimulator } from 'participant-conformance'
import { expect, test } from 'vitest'

// Replace this with your participant.
const participant = await startSimulator()

const { rows } = await runSuite({
  target: participant.url,
  only: 'CBI-CONTENT*',
  on: { planned: ({ rows, notApplicable }) => console.log(`${rows} rows run, ${notApplicable} are not applicable`) },
})
await participant.close()

test.each(rows)('$id', ({ conforming, explanation }) => {
  expect(conforming, explanation).toBe(true)
})
