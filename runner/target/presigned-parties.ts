import type { FindingList } from '../load/finding-list.js'
import { itemsOf, type Located, member, textAt, textsAt } from '../load/located.js'
import { PresignedKey } from '../sign/presigned-key.js'
import type { Location } from '../suite/suite.js'
import { readPresignedTransaction } from './presigned-transaction.js'
import type { PresignedParty, PresignedTransaction } from './target-file.js'

/** The parties with what they signed; whatever a run could not use is a finding. */
export function readPresignedParties(nodes: readonly Located[], now: Date, findings: FindingList): PresignedParty[] {
  const transactionPlaces = new Map<PresignedTransaction, Location>()
  const places = new Map<PresignedParty, Location>()
  for (const node of nodes) {
    const key = readKey(node, findings)
    if (!key) continue
    const party = textAt(node, 'party')
    const transactions = itemsOf(member(node, 'transactions')).flatMap((item) => {
      const transaction = readPresignedTransaction(item, { party, key, now }, findings)
      if (transaction) transactionPlaces.set(transaction, item.location)
      return transaction ?? []
    })
    places.set({ party, key, transactions }, node.location)
  }
  refuseSameKind(places, findings)
  refuseSameMark(transactionPlaces, findings)
  return [...places.keys()]
}

function readKey(node: Located, findings: FindingList): PresignedKey | undefined {
  const place = member(node, 'publicKey') ?? node
  const publicKey = textsAt(place, 'format', 'keyData', 'keySpec')
  const key = PresignedKey.read(publicKey)
  if (!key) findings.add(place.location, `this is no ${publicKey.keySpec} key`, 'give it as generate-topology takes it')
  return key
}

/** Each kind of key has one place in the suite. */
function refuseSameKind(places: ReadonlyMap<PresignedParty, Location>, findings: FindingList): void {
  const parties = [...places.keys()]
  for (const [one, place] of places) {
    if (parties.find(({ key }) => key.kind === one.key.kind) === one) continue
    findings.add(
      place,
      `another party with such a key (${one.key.kind}) is given already`,
      'one for each kind of key is enough',
    )
  }
}

/** What a run looks for to see that a transaction did not happen. */
function refuseSameMark(places: ReadonlyMap<PresignedTransaction, Location>, findings: FindingList): void {
  for (const [{ mark }, place] of places) {
    const others = [...places.keys()].filter((other) => other.mark.includes(mark))
    if (others.length > 1)
      findings.add(place, `"${mark}" is also in another transaction`, 'prepare each under a name of its own')
  }
}
