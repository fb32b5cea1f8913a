import { supportOperations } from '../../../interface/operations.js'
import type { JsonObject } from '../../../lib/json/json.js'
import type { KeyKind } from '../../../runner/sign/signing-key.js'
import { onboard } from '../ledgers/onboarded-party.js'
import { objectIn, textAt } from '../ledgers/simulator-environment.js'
import { connect } from './wire.js'

export interface SignedTransaction {
  preparedTransaction: string
  preparedTransactionHash: string
  hashingSchemeVersion: string
  signature: JsonObject
}

export interface PresignedInput {
  party: string
  publicKey: JsonObject
  transactions: SignedTransaction[]
}

/** Signs a Ping for each mark; `more` overrides members of the request. */
export async function presignTransactions(
  url: string,
  marks: readonly string[],
  { kind = 'ed25519', ...more }: { kind?: KeyKind; body?: JsonObject; argument?: JsonObject } = {},
): Promise<PresignedInput> {
  const wire = connect(url)
  try {
    const { party, key } = await onboard(wire, kind, `given-${kind}`)
    const connected = objectIn(await wire.send({ method: 'GET', path: '/v2/state/connected-synchronizers' }))
    const [synchronizer = null] = [connected['connectedSynchronizers'] ?? []].flat()
    const transactions = []
    for (const mark of marks) {
      const templateId = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'
      const createArguments = { id: `ping-${mark}`, initiator: party, responder: party, ...more.argument }
      const answer = await wire.post(supportOperations.prepare.path, {
        commands: [{ CreateCommand: { templateId, createArguments } }],
        commandId: `command-${mark}`,
        userId: 'signer',
        actAs: [party],
        synchronizerId: textAt(synchronizer, 'synchronizerId'),
        packageIdSelectionPreference: [],
        hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
        ...more.body,
      })
      if (answer.status !== 200) throw new Error(`prepare: ${answer.status} ${answer.text}`)
      const preparedTransaction = textAt(objectIn(answer), 'preparedTransaction')
      const preparedTransactionHash = textAt(objectIn(answer), 'preparedTransactionHash')
      transactions.push({
        preparedTransaction,
        preparedTransactionHash,
        hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
        signature: key.sign(Buffer.from(preparedTransactionHash, 'base64')),
      })
    }
    return { party, publicKey: key.publicKey, transactions }
  } finally {
    await wire.close()
  }
}
