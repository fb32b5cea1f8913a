import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSuite, startSimulator } from 'participant-conformance'

// Replace this with your participant.
const participant = await startSimulator()

const { rows } = await runSuite({
  target: participant.url,
  only: 'CBI-CONTENT*',
  on: { planned: ({ rows, notApplicable }) => console.log(`${rows} rows run, ${notApplicable} are not applicable`) },
})
await participant.close()

for (const { id, conforming, explanation } of rows) {
  test(id, () => assert.ok(conforming, explanation))
}
