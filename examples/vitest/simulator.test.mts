import { startSimulator } from 'participant-conformance'
import { expect, test } from 'vitest'
import { pingClient } from '../ping-client.cjs'

/** Each test has a participant of its own, which is closed at its end. */
const fixture = () => startSimulator({ parties: ['alice'], users: [{ id: 'pinger', actAs: ['alice'] }] })

test('a ping is committed at the time of the ledger', async () => {
  await using participant = await fixture()
  await participant.control.clock.freeze()
  await participant.control.clock.advance(3600)
  const answer = await pingClient(participant.url).ping(participant.parties.alice, 'an hour later')
  expect(answer.status).toBe(200)
})

test('a ping is sent again after the time that a busy participant names', async () => {
  await using participant = await fixture()
  const headers = { 'retry-after': 1 }
  const match = { '/commandId': 'again' }
  await participant.control.faults.inject({ kind: 'status', status: 503, headers, match, next: 1 })
  const answer = await pingClient(participant.url).ping(participant.parties.alice, 'again')
  expect(answer.status).toBe(200)
  const exchanges = await participant.control.journal.read({ operation: 'submit-and-wait', last: 2 })
  expect(exchanges.map(({ response }) => response?.status)).toEqual([503, 200])
})
