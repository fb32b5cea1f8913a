const { expect, test } = require('@jest/globals')
const { runSuite, startSimulator } = require('participant-conformance')

test('the participant conforms', async () => {
  // Replace this with your participant.
  const participant = await startSimulator()
  const { rows } = await runSuite({ target: participant.url, only: 'CBI-CONTENT*' })
  await participant.close()
  const failed = rows.filter(({ conforming }) => !conforming)
  expect(failed.map(({ explanation }) => explanation)).toEqual([])
}, 60_000)
