import type { PartySignature } from '../ledger/party-signature.js'
import type { ExecuteBody } from './execute-body.js'

/** A party may have several entries; a signature that stands in two of them was given once. */
export function signaturesByParty(entries: ExecuteBody['partySignatures']): Map<string, PartySignature[]> {
  const merged = new Map<string, { signatures: PartySignature[]; known: Set<string> }>()
  for (const { party, signatures } of entries) {
    const found = merged.get(party) ?? { signatures: [], known: new Set() }
    merged.set(party, found)
    for (const item of signatures) if (!found.known.has(print(item))) found.signatures.push(item)
    for (const item of signatures) found.known.add(print(item))
  }
  return new Map([...merged].map(([party, { signatures }]) => [party, signatures]))
}

const print = ({ format, algorithm, signedBy, signature }: PartySignature): string =>
  [format, algorithm, signedBy, signature.toString('base64')].join()
