/** Requests with their expected status and one expected member. */
import { operations } from '../../../interface/operations.js'
import { createFixture } from '../sample-requests.js'

export interface Pair {
  name: string
  path: string
  body: { contractId: string; queryingParties: string[] }
  status: number
  member: { path: readonly string[]; value: string }
}

const unknownId = `00${'ab'.repeat(32)}`

export async function pairsFor(url: string, count: number): Promise<Pair[]> {
  const { party, contractId } = await createFixture(url)
  const { path } = operations['contract-by-id']
  return Array.from({ length: count }, (_, index): Pair => {
    const isKnown = index % 4 !== 3
    return {
      name: `lookup-${index}`,
      path,
      body: { contractId: isKnown ? contractId : unknownId, queryingParties: [party] },
      status: isKnown ? 200 : 404,
      member: isKnown
        ? { path: ['createdEvent', 'contractId'], value: contractId }
        : { path: ['code'], value: 'CONTRACT_PAYLOAD_NOT_FOUND' },
    }
  })
}
