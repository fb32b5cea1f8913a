/** Variants of timing, and of other clients. */
import { type JsonObject, type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import { valueAt } from '../../lib/json/pointer.js'
import type { InterceptedRequest, KnownOperation } from '../../simulator/participant/participant.js'
import { answerOf, bodyOf, json, withBody } from '../interceptors/bodies.js'
import { freshId, isJudged } from '../interceptors/names.js'
import { type Variant, variant } from './variant.js'

const ofTheReference = (one: Variant): Variant => ({ ...one, reference: true })

/** Milliseconds. */
const pause = 40
const longerPause = 1000

const delay = 300

const lists: readonly KnownOperation[] = ['updates', 'completions', 'active-contracts']
const single: readonly KnownOperation[] = ['update-by-id', 'update-by-offset']

const ping = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'

export const variantsOfOtherClients: readonly Variant[] = [
  ...[
    variant('slow-answers', 'Every fourth response is delayed.', 'No sentence limits the response time.', (stage) => {
      let count = 0
      return async (request) => {
        count += 1
        const answer = await stage.handle(request)
        if (count % 4 === 0) await new Promise<void>((resolve) => stage.later(pause, resolve))
        return answer
      }
    }),
    variant(
      'others-move-the-end',
      'Transactions of other clients move the ledger end between requests.',
      'offset integer; no sentence excludes gaps.',
      ({ handle, participant }) =>
        async (request) => {
          participant.ledger.state.end += 2
          return handle(request)
        },
    ),
    variant(
      'others-use-the-ledger',
      'Another client commits a transaction on every tenth request.',
      'No sentence limits a participant to one client.',
      (stage) => {
        let count = 0
        let other: JsonValue | undefined
        const post = async (request: InterceptedRequest, path: string, operation: KnownOperation, body: JsonObject) =>
          answerOf(await stage.handle(withBody({ ...request, method: 'POST', path, operation }, body)))
        return async (request) => {
          count += 1
          if (isJudged(request) && count % 10 === 0) {
            const party = await post(request, '/v2/parties', 'allocate-party', { partyIdHint: `stranger-${count}` })
            other ??= valueAt(party, '/partyDetails/party')
            const createArguments = { id: `stranger-${count}`, initiator: other ?? '', responder: other ?? '' }
            await post(request, '/v2/commands/submit-and-wait', 'submit-and-wait', {
              commands: [{ CreateCommand: { templateId: ping, createArguments } }],
              commandId: freshId('stranger'),
              actAs: [other ?? ''],
              userId: 'stranger',
            })
          }
          return stage.handle(request)
        }
      },
    ),
  ].map(ofTheReference),
  variant(
    'bounded-executions-take-their-time',
    'An execution with a minLedgerTime is delayed.',
    'minLedgerTime does not delay submission; no sentence limits the response time.',
    (stage) => async (request) => {
      const isExecution = request.operation === 'execute' || request.operation === 'execute-and-wait-for-transaction'
      if (isExecution && JSON.stringify(bodyOf(request)?.['minLedgerTime'] ?? '').includes('MinLedgerTime'))
        await new Promise<void>((resolve) => stage.later(longerPause, resolve))
      return stage.handle(request)
    },
  ),
  variant(
    'own-traces',
    'The participant replaces the trace of a request by its own.',
    'traceContext: object with traceparent and tracestate; no sentence about their origin.',
    ({ handle }) =>
      (request) => {
        const { traceparent: _, ...headers } = request.headers
        return handle({ ...request, headers })
      },
  ),
  variant(
    'executions-shown-later',
    'A transaction of execute appears on the ledger a third of a second later.',
    'ExecuteSubmissionResponse: no sentence about the time of the transaction.',
    (stage) => {
      const recent = new Set<JsonValue>()
      const hidden = (): string[] =>
        [...stage.participant.ledger.state.transactions].flatMap(([id, { submission }]) =>
          recent.has(submission.submissionId) ? id : [],
        )
      return async (request) => {
        const answer = await stage.handle(request)
        const { operation } = request
        if (operation === 'execute' && answer.status === 200) {
          const { submissionId = '' } = bodyOf(request) ?? {}
          recent.add(submissionId)
          stage.later(delay, () => recent.delete(submissionId))
        }
        if (recent.size === 0 || operation === undefined || answer.status !== 200) return answer
        const ids = hidden()
        const isHidden = (text: string): boolean => ids.some((id) => text.includes(id))
        if (single.includes(operation) && isHidden(answer.text))
          return json(404, { code: 'UPDATE_NOT_FOUND', cause: 'the update does not exist' })
        const items = lists.includes(operation) ? parseJson(answer.text) : undefined
        return Array.isArray(items)
          ? { ...answer, text: printJson(items.filter((one) => !isHidden(printJson(one)))) }
          : answer
      }
    },
  ),
]
