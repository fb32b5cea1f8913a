import { runSuite, startSimulator } from 'participant-conformance'
import { expect, test } from 'vitest'

// Replace this with the participant that you build.
const participant = await startSimulator()

const { rows } = await runSuite({
  target: participant.url,
  only: 'CBI-CONTENT*',
  on: { planned: ({ rows, notApplicable }) => console.log(`${rows} rows run, ${notApplicable} do not apply`) },
})
await participant.close()

test.each(rows)('$id', ({ conforming, explanation }) => {
  expect(conforming, explanation).toBe(true)
})
