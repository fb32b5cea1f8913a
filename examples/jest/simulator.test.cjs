const { afterAll, beforeAll, beforeEach, expect, test } = require('@jest/globals')
const { startSimulator } = require('participant-conformance')
const { pingClient } = require('../ping-client.cjs')

/** @type {import('participant-conformance').Simulator<'alice'>} */
let participant

beforeAll(async () => {
  participant = await startSimulator({ parties: ['alice'] })
  await participant.snapshots.take('start')
})
beforeEach(() => participant.snapshots.restore('start'))
afterAll(() => participant.close())

test('a ping is committed at the ledger time', async () => {
  await participant.control.clock.freeze()
  await participant.control.clock.advance(3600)
  const answer = await pingClient(participant.url).ping(participant.parties.alice, 'an hour later')
  expect(answer.status).toBe(200)
})

test('a ping is sent again if the participant is busy', async () => {
  await participant.control.faults.inject({ kind: 'status', status: 503, match: { '/commandId': 'again' }, next: 1 })
  const answer = await pingClient(participant.url).ping(participant.parties.alice, 'again')
  expect(answer.status).toBe(200)
  const exchanges = await participant.control.journal.read({ operation: 'submit-and-wait', last: 2 })
  expect(exchanges.map(({ response }) => response?.status)).toEqual([503, 200])
})
