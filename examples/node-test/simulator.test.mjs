import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startSimulator } from 'participant-conformance'
import { pingClient } from '../ping-client.cjs'

const participant = await startSimulator()
const client = pingClient(participant.url)
let alice = ''

before(async () => {
  alice = await client.allocateParty('alice')
  await participant.snapshots.take('with-alice')
})
beforeEach(() => participant.snapshots.restore('with-alice'))
after(() => participant.close())

test('a ping is committed at the ledger time', async () => {
  await participant.control.clock.freeze()
  await participant.control.clock.advance(3600)
  const answer = await client.ping(alice, 'an hour later')
  assert.equal(answer.status, 200)
})

test('a ping is sent again if the participant is busy', async () => {
  await participant.control.faults.inject({ kind: 'status', status: 503, operation: 'submit-and-wait', next: 1 })
  const answer = await client.ping(alice, 'again')
  assert.equal(answer.status, 200)
  const exchanges = await participant.control.journal.read({ operation: 'submit-and-wait', last: 2 })
  assert.deepEqual(
    exchanges.map(({ response }) => response?.status),
    [503, 200],
  )
})
