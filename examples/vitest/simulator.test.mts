import { startSimulator } from 'participant-conformance'
import { expect, test } from 'vitest'
import { pingClient } from '../ping-client.cjs'

/** A new participant for each test. */
const fixture = () => startSimulator({ parties: ['alice'], users: [{ id: 'pinger', actAs: ['alice'] }] })

test('a ping is committed at the ledger time', async () => {
  await using participant = await fixture()
  await participant.control.clock.freeze()
  await participant.control.clock.advance(3600)
  const answer = await pingClient(participant.url).ping(participant.parties.alice, 'an hour later')
  expect(answer.status).toBe(200)
})

test('a ping is sent again after the time in retry-after', async () => {
  await using participant = await fixture()
  const headers = { 'retry-after': 1 }
  const match = { '/commandId': 'again' }
  await participant.control.faults.inject({ kind: 'status', status: 503, headers, match, next: 1 })
  const answer = await pingClient(participant.url).ping(participant.parties.alice, 'again')
  expect(answer.status).toBe(200)
  const exchanges = await participant.control.journal.read({ operation: 'submit-and-wait', last: 2 })
  expect(exchanges.map(({ response }) => response?.status)).toEqual([503, 200])
})
