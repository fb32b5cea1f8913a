import { supportOperations } from '../../interface/operations.js'
import type { JsonObject } from '../../lib/json/json.js'
import { offsetAfterLedgerEnd } from '../base/errors.js'
import { type EventFormat, partiesOf, select } from '../codec/checked-format.js'
import { eventFormat } from '../codec/event-format.js'
import { createdEvent } from '../codec/event-view.js'
import { ok } from '../http/answer.js'
import { type Endpoint, endpoint, on } from '../http/endpoint.js'
import { mapped, streamEndpoint } from '../http/stream.js'
import { absentable, base64, int32, int64, members, message, optional } from '../json/decode.js'
import { stakeholders } from '../ledger/contracts/contract.js'
import type { Ledger } from '../ledger/state/ledger.js'
import { assignmentOf } from '../ledger/transactions/transaction.js'
import type { Participant } from '../participant/participant.js'
import {
  decodeContinuation,
  deprecatedMembers,
  encodeContinuation,
  oneFormat,
  pageSize,
  readable,
  refuseNegative,
} from './reading.js'

interface Entry {
  /** Increases with creation. */
  position: bigint
  view: JsonObject
}

/** Oldest first. Throws `OFFSET_AFTER_LEDGER_END`. */
function activeContractsAt(activeAt: bigint, format: EventFormat, participant: Participant): Iterable<Entry> {
  const { ledger } = participant
  if (activeAt > BigInt(ledger.end)) {
    throw offsetAfterLedgerEnd('reading', `active_at_offset offset (${activeAt}) is after ledger end (${ledger.end})`, {
      context: { filters: (partiesOf(format) ?? []).join(', ') },
    })
  }
  return mapped(ledger.activeAt(Number(activeAt)), (stored): Entry | undefined => {
    const { contract, createdBy } = stored
    const selection = select(format, contract, stakeholders(contract), ledger.packages)
    if (!selection) return undefined
    const node = createdBy.nodes.find((item) => item.kind === 'create' && item.contract.id === contract.id)
    const context = { offset: createdBy.offset, nodeId: node?.id ?? 0, acsDelta: true }
    const witnesses = [...selection.parties]
    const event = createdEvent(contract, { ...selection, ...context, witnesses }, participant)
    const active = { createdEvent: event, ...assignmentOf(stored, Number(activeAt)) }
    const view = { workflowId: createdBy.submission.workflowId, contractEntry: { JsActiveContract: active } }
    return { position: (BigInt(createdBy.offset) << 32n) | BigInt(context.nodeId), view }
  })
}

const isAfter =
  (position: bigint | undefined) =>
  (entry: Entry): boolean =>
    position === undefined || entry.position > position

const questionOf = (format: EventFormat, activeAt: bigint | undefined, { participantId }: Ledger): string =>
  JSON.stringify([[...format.byParty], format.forAnyParty ?? null, String(activeAt ?? ''), participantId])

const activeContractsBody = message({
  activeAtOffset: optional(int64, 0n),
  eventFormat: absentable(eventFormat),
  streamContinuationToken: absentable(base64),
  ...deprecatedMembers,
})

const activeContracts = streamEndpoint({
  ...on(supportOperations['active-contracts']),
  body: activeContractsBody,
  open: ({ participant, caller, body }) => {
    const { ledger } = participant
    const activeAt = body.activeAtOffset
    const format = readable(
      caller,
      oneFormat('event_format', body.eventFormat, body, (filter) => filter),
      participant,
    )
    refuseNegative(activeAt, 'active_at_offset')
    const question = questionOf(format, activeAt, ledger)
    const isLeft = isAfter(decodeContinuation(body.streamContinuationToken, question)?.position)
    const entries = activeContractsAt(activeAt, format, participant)
    const next = (): Iterable<JsonObject> =>
      mapped(entries, (entry) => {
        if (!isLeft(entry)) return undefined
        const continuation = { position: entry.position, bound: activeAt }
        return { ...entry.view, streamContinuationToken: encodeContinuation(continuation, question) }
      })
    return { openEnded: false, next }
  },
})

const pageBody = members({
  activeAtOffset: absentable(int64),
  eventFormat: absentable(eventFormat),
  maxPageSize: absentable(int32),
  pageToken: absentable(base64),
})

const page = (method: 'get' | 'post'): Endpoint =>
  endpoint({
    method,
    path: '/v2/state/active-contracts-page',
    body: pageBody,
    handle: ({ participant, caller, body }) => {
      const { ledger } = participant
      const format = readable(caller, body.eventFormat, participant)
      const size = pageSize(body.maxPageSize)
      refuseNegative(body.activeAtOffset, 'active_at_offset')
      const question = questionOf(format, body.activeAtOffset, ledger)
      const before = decodeContinuation(body.pageToken, question)
      const activeAt = before?.bound ?? body.activeAtOffset ?? BigInt(ledger.end)
      const left = [...activeContractsAt(activeAt, format, participant)].filter(isAfter(before?.position))
      const shown = left.slice(0, size)
      const last = shown.length < left.length ? shown.at(-1) : undefined
      return ok({
        activeContracts: shown.map(({ view }) => ({ ...view, streamContinuationToken: '' })),
        activeAtOffset: Number(activeAt),
        nextPageToken: last ? encodeContinuation({ position: last.position, bound: activeAt }, question) : null,
      })
    },
  })

export const activeContractEndpoints: readonly Endpoint[] = [
  activeContracts,
  page('post'),
  // Deprecated: a GET with a body.
  page('get'),
]
