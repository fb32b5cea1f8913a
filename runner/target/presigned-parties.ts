import { decodePreparedTransaction } from '../../interface/prepared-transaction/codec.js'
import type { PreparedTransaction } from '../../interface/prepared-transaction/prepared-transaction.js'
import { isInstant, printInstant } from '../../lib/json/instant.js'
import { ProtobufError } from '../../lib/protobuf/protobuf.js'
import { preparedHash } from '../sign/prepared-hash.js'
import { PresignedKey } from '../sign/presigned-key.js'
import type { Location } from '../suite/suite.js'
import type { FindingList } from '../yaml/finding-list.js'
import { itemsOf, type Located, member, textAt, textsAt } from '../yaml/located.js'
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

interface Setting {
  party: string
  key: PresignedKey
  now: Date
}

/** Undefined, with a finding: a request with it could not be right, or could not be told from others. */
function readPresignedTransaction(
  node: Located,
  setting: Setting,
  findings: FindingList,
): PresignedTransaction | undefined {
  const { preparedTransaction: prepared, preparedTransactionHash: hash } = textsAt(
    node,
    'preparedTransaction',
    'preparedTransactionHash',
  )
  const at = (name: string) => (member(node, name) ?? node).location
  const decoded = isBase64(prepared) ? decode(prepared) : undefined
  if (!decoded) {
    findings.add(at('preparedTransaction'), 'this is no prepared transaction', 'give what prepare answered, in base64')
    return undefined
  }
  const own = preparedHash(prepared, 'V2')
  if (own !== hash) {
    findings.add(at('preparedTransactionHash'), 'this is not the hash of the transaction', `it is ${own ?? 'none'}`)
    return undefined
  }
  const signature = member(node, 'signature') ?? node
  const words = textsAt(signature, 'format', 'signature', 'signedBy', 'signingAlgorithmSpec')
  const refused = isBase64(words.signature)
    ? setting.key.take(hash, words)
    : 'the signature is not in base64 as participants take it'
  if (refused !== undefined) findings.add(signature.location, refused)
  const problem = problemOf(decoded, setting)
  if (problem) findings.add(at('preparedTransaction'), ...problem)
  const mark = markOf(decoded, setting.party)
  if (refused !== undefined || problem || mark === undefined) return undefined
  return { prepared, hash, mark, synchronizerId: decoded.metadata.synchronizerId }
}

/** Just as participants take it: they are sent the very text, and node reads more. */
const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text

function decode(prepared: string): PreparedTransaction | undefined {
  try {
    return decodePreparedTransaction(Buffer.from(prepared, 'base64'))
  } catch (error) {
    if (error instanceof ProtobufError) return undefined
    throw error
  }
}

/** Participants refuse what was prepared longer ago, or will be (seen on 3.5.10). */
const hoursOfUse = 24

/** What is wrong, and what would be right. */
function problemOf(
  decoded: PreparedTransaction,
  { party, now }: Setting,
): [problem: string, right: string] | undefined {
  const { submitterInfo, preparationTime, minLedgerEffectiveTime, maxLedgerEffectiveTime, maxRecordTime } =
    decoded.metadata
  if (submitterInfo.actAs.join() !== party)
    return [`its acting party is not ${party}`, 'prepare it with actAs: this party alone']
  const mark = markOf(decoded, party)
  if (mark === undefined) {
    const command = 'the commandId "command-MARK"; MARK of eight or more letters, digits and hyphens, with a digit'
    return [
      'it is not the creation of a Ping by which the suite could know it',
      `create Canton.Internal.Ping:Ping with the id "ping-MARK", initiator and responder this party, under ${command}`,
    ]
  }
  if (party.includes(mark)) return [`"${mark}" is in the name of the party as well`, 'prepare it under another mark']
  if ([minLedgerEffectiveTime, maxLedgerEffectiveTime, maxRecordTime].some((bound) => bound !== undefined))
    return ['it is bound to a time', 'prepare it without ledger times and without maxRecordTime']
  const hours = (now.getTime() - Number(preparationTime / 1000n)) / 3_600_000
  if (Math.abs(hours) < hoursOfUse) return undefined
  const time = isInstant(preparationTime) ? printInstant(preparationTime) : 'no time'
  return [`it was prepared at ${time}, and is of use for ${hoursOfUse} hours`, 'prepare and sign another one']
}

/** With a digit: a word might stand in any answer. */
const markForm = /^ping-((?=[^\d]*\d)[A-Za-z0-9-]{8,})$/

/** Undefined where the transaction is another one than rows expect. */
function markOf({ transaction, metadata }: PreparedTransaction, party: string): string | undefined {
  const [only, ...more] = transaction.nodes
  const node = only?.node
  if (more.length > 0 || node?.kind !== 'create' || node.argument.kind !== 'record') return undefined
  const { module, entity } = node.templateId
  const [id, ...parties] = node.argument.fields.map(([, value]) => value)
  const text = id?.kind === 'text' ? markForm.exec(id.value)?.[1] : undefined
  const isPing = module === 'Canton.Internal.Ping' && entity === 'Ping'
  const isOwn = parties.length === 2 && parties.every((value) => value.kind === 'party' && value.value === party)
  return isPing && isOwn && metadata.submitterInfo.commandId === `command-${text}` ? text : undefined
}
