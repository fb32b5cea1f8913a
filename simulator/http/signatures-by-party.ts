import type { PartySignature } from '../ledger/party-signature.js'
import type { ExecuteBody } from './execute-body.js'

/**
 * The signatures of each party. Where several entries name one party, equal signatures count once, also those of one entry; the
 * only entry of a party is taken as it stands (as seen on 3.5.10).
 */
export function signaturesByParty(entries: ExecuteBody['partySignatures']): Map<string, PartySignature[]> {
  const entriesOf = new Map<string, PartySignature[][]>()
  for (const { party, signatures } of entries) {
    const earlier = entriesOf.get(party)
    if (earlier) earlier.push([...signatures])
    else entriesOf.set(party, [[...signatures]])
  }
  return new Map(
    [...entriesOf].map(([party, given]) => [party, given.length > 1 ? distinct(given.flat()) : given.flat()]),
  )
}

const distinct = (signatures: readonly PartySignature[]): PartySignature[] => [
  ...new Map(signatures.map((item) => [print(item), item])).values(),
]

const print = ({ format, algorithm, signedBy, signature }: PartySignature): string =>
  [format, algorithm, signedBy, signature.toString('base64')].join()
