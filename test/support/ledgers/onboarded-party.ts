import type { JsonObject } from '../../../lib/json/json.js'
import { type KeyKind, makeSigningKey, type SigningKey } from '../../../runner/sign/signing-key.js'
import type { Wire } from '../servers/wire.js'
import { objectIn, textAt } from './simulator-environment.js'

export interface OnboardedParty {
  party: string
  key: SigningKey
  /** In base64. */
  topology: { transactions: string[]; multiHash: string }
}

export async function onboard(wire: Wire, kind: KeyKind, hint = `eve-${kind}`): Promise<OnboardedParty> {
  const key = makeSigningKey(kind)
  const state = objectIn(await wire.send({ method: 'GET', path: '/v2/state/connected-synchronizers' }))
  const [connected = null] = [state['connectedSynchronizers'] ?? []].flat()
  const synchronizer = textAt(connected, 'synchronizerId')
  const post = async (path: string, body: JsonObject): Promise<JsonObject> =>
    objectIn(await wire.post(`/v2/parties/external/${path}`, { synchronizer, ...body }))
  const generated = await post('generate-topology', { partyHint: hint, publicKey: key.publicKey })
  const transactions = [generated['topologyTransactions']].flat().map(String)
  const multiHash = textAt(generated, 'multiHash')
  const allocated = await post('allocate', {
    onboardingTransactions: transactions.map((transaction) => ({ transaction })),
    multiHashSignatures: [key.sign(Buffer.from(multiHash, 'base64'))],
  })
  return { party: textAt(allocated, 'partyId'), key, topology: { transactions, multiHash } }
}
