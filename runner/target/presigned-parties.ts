import { PresignedKey } from '../sign/presigned-key.js'
import type { Location } from '../suite/suite.js'
import type { FindingList } from '../yaml/finding-list.js'
import { itemsOf, type Located, member, textAt, textsAt } from '../yaml/located.js'
import { readPresignedTransaction } from './presigned-transaction.js'
import type { PresignedParty, PresignedTransaction } from './target-file.js'

/** The parties with what they signed; whatever a run could not use is a finding. */
export function readPresignedParties(nodes: readonly Located[], now: Date, findings: FindingList): PresignedParty[] {
  const transactionLocations = new Map<PresignedTransaction, Location>()
  const locations = new Map<PresignedParty, Location>()
  for (const node of nodes) {
    const key = readKey(node, findings)
    if (!key) continue
    const party = textAt(node, 'party')
    const transactions = itemsOf(member(node, 'transactions')).flatMap((item) => {
      const transaction = readPresignedTransaction(item, { party, key, now }, findings)
      if (transaction) transactionLocations.set(transaction, item.location)
      return transaction ?? []
    })
    locations.set({ party, key, transactions }, node.location)
  }
  refuseSameKind(locations, findings)
  refuseSameMark(transactionLocations, findings)
  return [...locations.keys()]
}

function readKey(node: Located, findings: FindingList): PresignedKey | undefined {
  const keyNode = member(node, 'publicKey') ?? node
  const publicKey = textsAt(keyNode, 'format', 'keyData', 'keySpec')
  const key = PresignedKey.read(publicKey)
  if (!key)
    findings.add(keyNode.location, `this is no ${publicKey.keySpec} key`, 'give it as generate-topology takes it')
  return key
}

/** The suite has one party for each kind of key. */
function refuseSameKind(locations: ReadonlyMap<PresignedParty, Location>, findings: FindingList): void {
  const parties = [...locations.keys()]
  for (const [one, location] of locations) {
    if (parties.find(({ key }) => key.kind === one.key.kind) === one) continue
    findings.add(
      location,
      `another party with such a key (${one.key.kind}) is given already`,
      'one for each kind of key is enough',
    )
  }
}

/** What a run looks for to see that a transaction did not happen. */
function refuseSameMark(locations: ReadonlyMap<PresignedTransaction, Location>, findings: FindingList): void {
  for (const [{ mark }, location] of locations) {
    const others = [...locations.keys()].filter((other) => other.mark.includes(mark))
    if (others.length > 1)
      findings.add(location, `"${mark}" is also in another transaction`, 'prepare each under a name of its own')
  }
}
