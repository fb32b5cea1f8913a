import { type PreparedTransaction, readPreparedTransaction } from '../../interface/prepared-transaction/codec.js'
import { preparedHash } from '../../interface/prepared-transaction/hash.js'
import { isInstant, printInstant } from '../../lib/json/instant.js'
import { PresignedKey, type PresignedSignature } from '../sign/presigned-key.js'
import type { PublicKey } from '../sign/signing-key.js'
import type { Location } from '../suite/suite.js'
import type { FindingList } from '../yaml/findings.js'
import { itemsOf, member, type SettingValue, textAt } from './setting-value.js'
import type { PresignedParty, PresignedTransaction } from './target-file.js'

export function readPresignedParties(
  nodes: readonly SettingValue[],
  now: Date,
  findings: FindingList,
): PresignedParty[] {
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
  rejectSameKind(locations, findings)
  rejectSameMark(transactionLocations, findings)
  return [...locations.keys()]
}

function readKey(node: SettingValue, findings: FindingList): PresignedKey | undefined {
  const keyNode = member(node, 'publicKey') ?? node
  const publicKey: PublicKey = {
    format: textAt(keyNode, 'format'),
    keyData: textAt(keyNode, 'keyData'),
    keySpec: textAt(keyNode, 'keySpec'),
  }
  const key = PresignedKey.read(publicKey)
  if (!key) findings.add(keyNode.location, `not a ${publicKey.keySpec} key`, 'use the format of generate-topology')
  return key
}

function rejectSameKind(locations: ReadonlyMap<PresignedParty, Location>, findings: FindingList): void {
  const parties = [...locations.keys()]
  for (const [one, location] of locations) {
    if (parties.find(({ key }) => key.kind === one.key.kind) === one) continue
    findings.add(
      location,
      `an earlier party has the same kind of key (${one.key.kind})`,
      'give one party for each kind of key',
    )
  }
}

/** The mark shows whether a transaction was executed. */
function rejectSameMark(locations: ReadonlyMap<PresignedTransaction, Location>, findings: FindingList): void {
  for (const [{ mark }, location] of locations) {
    const others = [...locations.keys()].filter((other) => other.mark.includes(mark))
    if (others.length > 1)
      findings.add(
        location,
        `"${mark}" occurs in another transaction, too`,
        'prepare each transaction with its own mark',
      )
  }
}

interface Setting {
  party: string
  key: PresignedKey
  now: Date
}

/** Undefined, with a finding, if rows cannot use the transaction. */
function readPresignedTransaction(
  node: SettingValue,
  setting: Setting,
  findings: FindingList,
): PresignedTransaction | undefined {
  const prepared = textAt(node, 'preparedTransaction')
  const hash = textAt(node, 'preparedTransactionHash')
  const at = (name: string) => (member(node, name) ?? node).location
  const stated = member(node, 'mark') && textAt(node, 'mark')
  const decoded = isBase64(prepared) ? readPreparedTransaction(prepared) : undefined
  const isOpaque = !decoded && stated !== undefined && isBase64(prepared) && isBase64(hash)
  if (!decoded && !isOpaque) {
    const hint = 'copy the base64 text from the answer of prepare; if the participant has another encoding, add mark'
    findings.add(at('preparedTransaction'), 'not a prepared transaction', hint)
    return undefined
  }
  const own = isOpaque ? hash : preparedHash(prepared, 'V2')
  if (own !== hash) {
    findings.add(at('preparedTransactionHash'), 'not the hash of the transaction', `the hash is ${own ?? 'unknown'}`)
    return undefined
  }
  const signature = member(node, 'signature') ?? node
  const words: PresignedSignature = {
    format: textAt(signature, 'format'),
    signature: textAt(signature, 'signature'),
    signedBy: textAt(signature, 'signedBy'),
    signingAlgorithmSpec: textAt(signature, 'signingAlgorithmSpec'),
  }
  const rejected = isBase64(words.signature)
    ? setting.key.add(hash, words)
    : 'the signature is not in the base64 form that participants accept'
  if (rejected !== undefined) findings.add(signature.location, rejected)
  const problem = decoded && problemOf(decoded, setting)
  if (problem) findings.add(at('preparedTransaction'), ...problem)
  const mark = decoded ? markOf(decoded, setting.party) : stated
  const isWrong = mark !== undefined && stated !== undefined && (stated !== mark || !isMark(mark))
  if (isWrong) findings.add(at('mark'), `"${stated}" is not the mark of the transaction`, markHint)
  if (rejected !== undefined || problem || mark === undefined || isWrong) return undefined
  return { prepared, hash, mark, ...(decoded && { synchronizerId: decoded.metadata.synchronizerId }) }
}

const markHint = 'state MARK of its commandId "command-MARK": eight or more letters, digits and hyphens, with a digit'

/** Buffer.from accepts more than participants. */
const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text

/** Participants reject other preparation times (observed on 3.5.10). */
const hoursOfUse = 24

function problemOf(decoded: PreparedTransaction, { party, now }: Setting): [problem: string, hint: string] | undefined {
  const { submitterInfo, preparationTime, minLedgerEffectiveTime, maxLedgerEffectiveTime, maxRecordTime } =
    decoded.metadata
  if (submitterInfo.actAs.join() !== party)
    return [`its acting party is not ${party}`, 'prepare it with this party alone in actAs']
  const mark = markOf(decoded, party)
  if (mark === undefined) {
    const command = 'commandId "command-MARK". MARK has at least eight letters, digits and hyphens, one of them a digit'
    return [
      'it does not create a Ping that the suite can identify',
      `create Canton.Internal.Ping:Ping with id "ping-MARK", this party as initiator and responder, and ${command}`,
    ]
  }
  if (party.includes(mark)) return [`"${mark}" also occurs in the name of the party`, 'prepare it with another mark']
  if ([minLedgerEffectiveTime, maxLedgerEffectiveTime, maxRecordTime].some((bound) => bound !== undefined))
    return ['it has a time bound', 'prepare it without ledger times and without maxRecordTime']
  const hours = (now.getTime() - Number(preparationTime / 1000n)) / 3_600_000
  if (Math.abs(hours) < hoursOfUse) return undefined
  const time = isInstant(preparationTime) ? printInstant(preparationTime) : 'an invalid time'
  return [`it was prepared at ${time} and is valid for ${hoursOfUse} hours`, 'prepare and sign another one']
}

/** Requires a digit: a plain word can occur in any answer. */
const isMark = (text: string): boolean => /^(?=[^\d]*\d)[A-Za-z0-9-]{8,}$/.test(text)

/** Undefined for another transaction than the Ping of rows. */
function markOf({ transaction, metadata }: PreparedTransaction, party: string): string | undefined {
  const [only, ...more] = transaction.nodes
  const node = only?.node
  if (more.length > 0 || node?.kind !== 'create' || node.argument.kind !== 'record') return undefined
  const { module, entity } = node.templateId
  const [id, ...parties] = node.argument.fields.map(([, value]) => value)
  const [, text = ''] = id?.kind === 'text' ? (/^ping-(.*)$/.exec(id.value) ?? []) : []
  const isPing = module === 'Canton.Internal.Ping' && entity === 'Ping'
  const isOwn = parties.length === 2 && parties.every((value) => value.kind === 'party' && value.value === party)
  return isPing && isOwn && isMark(text) && metadata.submitterInfo.commandId === `command-${text}` ? text : undefined
}
