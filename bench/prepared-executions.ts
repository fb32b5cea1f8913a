/** Transactions that a party with a key of its own has signed: each can be executed once. */
import { operations } from '../interface/operations.js'
import { makeSigningKey } from '../runner/sign/signing-key.js'
import { createPing, execution, externally } from '../test/external-world.js'
import { connect } from '../test/wire.js'
import type { BenchRequest } from './load.js'
import { found, got } from './sample-requests.js'

/** Prepared at once. */
const atOnce = 16

type Operation = 'execute' | 'execute-and-wait-for-transaction'

/** Prepares and signs so many transactions on a simulator; what executes each of them, one after the other. */
export async function preparedExecutions(
  url: string,
  operation: Operation,
  count: number,
): Promise<() => BenchRequest> {
  const wire = connect(url, atOnce)
  const synchronizer = found(await got(url, '/v2/state/connected-synchronizers'), 'synchronizerId')
  const world = externally({ wire, synchronizer })
  const signer = await world.onboard(`signer-of-${operation}`, [makeSigningKey('ed25519')])
  const bodies: string[] = []
  const work = async (): Promise<void> => {
    while (bodies.length < count) {
      const commandId = `${operation}-${bodies.length}`
      const place = bodies.push('') - 1
      const prepared = await world.prepare(signer.party, createPing(signer), { commandId })
      bodies[place] = JSON.stringify(execution(prepared, [signer], { submissionId: commandId }))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  await wire.close()
  const { path } = operations[operation]
  return () => {
    const body = bodies.pop()
    if (body === undefined) throw new Error(`no prepared transaction is left of ${count}`)
    return { path, body, status: 200 }
  }
}
