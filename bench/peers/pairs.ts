/** What every tool is given: requests, each with the status and one member of the body that must come back. */
import { operations } from '../../interface/operations.js'
import { prepareGround } from '../sample-requests.js'

export interface Pair {
  name: string
  path: string
  body: { contractId: string; queryingParties: string[] }
  status: number
  /** Names of members on the way to the one that is looked at, and its value. */
  member: { path: readonly string[]; value: string }
}

const nobodys = `00${'ab'.repeat(32)}`

/** Every fourth one is refused, as in any suite. */
export async function pairsFor(url: string, count: number): Promise<Pair[]> {
  const { party, contractId } = await prepareGround(url)
  const { path } = operations['contract-by-id']
  return Array.from({ length: count }, (_, index): Pair => {
    const name = `look-up-${index}`
    return index % 4 === 3
      ? {
          ...{ name, path, body: { contractId: nobodys, queryingParties: [party] }, status: 404 },
          member: { path: ['code'], value: 'CONTRACT_PAYLOAD_NOT_FOUND' },
        }
      : {
          ...{ name, path, body: { contractId, queryingParties: [party] }, status: 200 },
          member: { path: ['createdEvent', 'contractId'], value: contractId },
        }
  })
}
