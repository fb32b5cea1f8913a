/** Participants that hide, forget or lose effects. Most of them show only in the reads after the last row. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.js'
import { valueAt } from '../../lib/json/pointer.js'
import type {
  InterceptedAnswer,
  InterceptedRequest,
  Interceptor,
  Stage,
} from '../../simulator/participant/participant.js'
import { answerOf, bodyOf, changeMembers, isRejection, json, listOf, withBody } from '../interceptors/bodies.js'
import { alterAnswers, rejectAuthorized, runAfter } from '../interceptors/interceptors.js'
import { exe, freshId, saw } from '../interceptors/names.js'
import { fault, type Mutant } from './mutant.js'

const commit = (request: InterceptedRequest, stage: Stage, body: JsonObject): Promise<InterceptedAnswer> =>
  stage.handle({ ...withBody(request, body), method: 'POST', path: '/v2/commands/submit-and-wait' })

/** A submission without a marker of the suite. */
const unmarked = (party: JsonValue, userId: JsonValue | undefined): JsonObject => ({
  commands: [
    {
      CreateCommand: {
        templateId: '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping',
        createArguments: { id: 'lunch', initiator: party, responder: party },
      },
    },
  ],
  commandId: freshId('lunch'),
  actAs: [party],
  ...(userId !== undefined && { userId }),
})

const extra = (isMeant: (answer: InterceptedAnswer) => boolean): Interceptor =>
  runAfter([saw], async (request, answer, stage) => {
    const { actAs, userId } = bodyOf(request) ?? {}
    const [party] = listOf(actAs)
    if (party !== undefined && isMeant(answer)) await commit(request, stage, unmarked(party, userId))
  })

/** The valid part of a submission, under another change id unless `commandId` is kept. */
const validPart = ({ commands = [], actAs = [], userId, commandId = '' }: JsonObject, keepsId = false): JsonObject => ({
  commands,
  actAs,
  ...(userId !== undefined && { userId }),
  commandId: keepsId ? commandId : freshId('late'),
})

/** A rejected submission commits its valid commands, with the marker of its row. */
const rejectedAndCommitted = (milliseconds: number): Interceptor =>
  runAfter([saw], async (request, answer, stage) => {
    if (!isRejection(answer)) return
    const body = validPart(bodyOf(request) ?? {})
    if (milliseconds === 0) await commit(request, stage, body)
    else stage.later(milliseconds, () => commit(request, stage, body))
  })

/** The same after a time, hidden from reads that `hides` selects. */
const hiddenCommits =
  (milliseconds: number, hides: (request: InterceptedRequest) => boolean): Interceptor =>
  (stage) => {
    const hidden = new Set<JsonValue | undefined>()
    const isShown = (item: JsonValue): boolean => !hidden.has(valueAt(item, '/update/Transaction/value/updateId'))
    const shown = alterAnswers(['updates'], (answer) => listOf(answer).filter(isShown))(stage)
    return async (request) => {
      if (request.operation === 'updates' && hides(request)) return shown(request)
      const answer = await stage.handle(request)
      if (request.operation !== saw || !isRejection(answer)) return answer
      const body = validPart(bodyOf(request) ?? {}, true)
      const commitHidden = async (): Promise<void> => {
        const { updateId } = answerOf(await commit(request, stage, body)) ?? {}
        if (updateId !== undefined) hidden.add(updateId)
      }
      if (milliseconds === 0) await commitHidden()
      else stage.later(milliseconds, commitHidden)
      return answer
    }
  }

/** Every request whose number `isMeant` selects is accepted and not executed. */
const lostExecutions: Interceptor = ({ handle }) => {
  let count = 0
  return (request) => {
    if (request.operation !== exe) return handle(request)
    count += 1
    return count % 3 === 0 ? Promise.resolve(json(200, {})) : handle(request)
  }
}

/** Changes one of a hundred answers to accepted submissions, the first one after fifty. */
const rarely =
  (change: (answer: InterceptedAnswer, before: InterceptedAnswer, stage: Stage) => InterceptedAnswer): Interceptor =>
  (stage) => {
    let count = 0
    let before: InterceptedAnswer | undefined
    return async (request) => {
      const answer = await stage.handle(request)
      if (request.operation !== saw || answer.status !== 200) return answer
      count += 1
      const returned = count % 100 === 50 && before ? change(answer, before, stage) : answer
      before = answer
      return returned
    }
  }

const falselySuccessful = (completion: JsonValue): JsonValue =>
  isJsonObject(completion) && Number(valueAt(completion, '/value/status/code') ?? 0) !== 0
    ? changeMembers(completion, ['value'], (value) =>
        isJsonObject(value)
          ? { ...value, status: { code: 0, message: '', details: [] }, updateId: `1220${'ef'.repeat(32)}` }
          : value,
      )
    : completion

const optional = [
  'readAs',
  'workflowId',
  'submissionId',
  'deduplicationPeriod',
  'minLedgerTimeAbs',
  'minLedgerTimeRel',
  'disclosedContracts',
  'synchronizerId',
  'packageIdSelectionPreference',
  'prefetchContractKeys',
]

/** Each breaks the rule that a rejection has no effect, or that an acceptance has one. */
export const faults = {
  'extra-after-rejection': extra(isRejection),
  'extra-after-acceptance': extra(({ status }) => status === 200),
  'rejected-and-committed': rejectedAndCommitted(0),
  'rejected-and-committed-late': rejectedAndCommitted(300),
  'rejected-and-hidden': hiddenCommits(0, () => true),
  'lost-executions': lostExecutions,
} satisfies Readonly<Record<string, Interceptor>>

export const cheatingMutants: readonly Mutant[] = [
  {
    name: 'extra-after-rejection',
    sentence: 'A rejected submission commits another transaction of the party, without the data of the request.',
    ...fault(saw, 'GEN-NO-EFFECT', 'reads'),
    interceptor: faults['extra-after-rejection'],
  },
  {
    name: 'extra-after-acceptance',
    sentence: 'An accepted submission commits another transaction of the party, without the data of the request.',
    ...fault(saw, 'SAW-PURPOSE', 'reads'),
    interceptor: faults['extra-after-acceptance'],
  },
  {
    name: 'rejected-and-hidden',
    sentence: 'A rejected submission commits, and updates never show the transaction.',
    ...fault(saw, 'GEN-NO-EFFECT', 'reads'),
    interceptor: faults['rejected-and-hidden'],
  },
  {
    name: 'rejected-and-hidden-in-pages',
    sentence: 'A rejected submission commits after 0.7 s. Requests with a limit do not show the transaction.',
    ...fault(saw, 'GEN-NO-EFFECT', 'reads'),
    interceptor: hiddenCommits(700, ({ path }) => path.includes('limit=')),
  },
  {
    name: 'rejected-and-committed-after-the-row',
    sentence: 'A rejected submission commits eight seconds later.',
    ...fault(saw, 'GEN-NO-EFFECT', 'reads'),
    interceptor: rejectedAndCommitted(8000),
  },
  {
    name: 'every-third-execution-lost',
    sentence: 'execute accepts every third request with 200 and does not execute it.',
    ...fault(exe, 'EXE-PURPOSE', 'reads'),
    interceptor: lostExecutions,
  },
  {
    name: 'failures-completed-as-successes',
    sentence: 'Completions of failed submissions report a success, with the id of an update that does not exist.',
    ...fault(exe, 'EXE-PURPOSE', 'reads'),
    interceptor: alterAnswers(['completions'], (answer) => changeMembers(answer, ['Completion'], falselySuccessful)),
  },
  {
    name: 'one-in-a-hundred-lost',
    sentence: 'One in a hundred accepted submissions is lost after its answer.',
    ...fault(saw, 'SAW-UPDATE-ID', 'reads'),
    interceptor: rarely((answer, _, { participant: { ledger } }) => {
      ledger.state.transactions.delete(String(answerOf(answer)?.['updateId']))
      return answer
    }),
  },
  {
    name: 'one-in-a-hundred-exchanged',
    sentence: 'One in a hundred accepted submissions receives the answer of the previous one.',
    ...fault(saw, 'SAW-UPDATE-ID', 'reads'),
    interceptor: rarely((_, before) => before),
  },
  {
    name: 'options-declined',
    sentence: 'A submission with an optional member is rejected.',
    ...fault(saw, 'SAW-READ-AS-ON-BEHALF', 'refusal'),
    interceptor: rejectAuthorized((body, operation) =>
      operation === saw && optional.some((member) => (body[member] ?? null) !== null) ? 'not supported' : undefined,
    ),
  },
]

/** Milliseconds between restarts. */
const uptime = 2000

const forgettingChanges =
  (milliseconds: number): Interceptor =>
  (stage) => {
    let isRunning = false
    return (request) => {
      if (!isRunning) {
        isRunning = true
        stage.later(milliseconds, () => {
          stage.participant.ledger.state.acceptedChanges.clear()
          isRunning = false
        })
      }
      return stage.handle(request)
    }
  }

export const restartedMutants: readonly Mutant[] = [
  {
    name: 'changes-lost-in-restarts',
    sentence: 'The participant restarts every two seconds and loses its accepted change ids.',
    ...fault('submit-and-wait', 'SAW-DEDUPLICATION-WINDOW', 'repetition'),
    interceptor: forgettingChanges(uptime),
  },
  {
    name: 'changes-forgotten-each-second',
    sentence: 'The participant forgets its accepted change ids each second.',
    ...fault('submit-and-wait', 'SAW-DEDUPLICATION-WINDOW', 'repetition'),
    interceptor: forgettingChanges(1000),
  },
  {
    name: 'transactions-lost-in-restarts',
    sentence:
      'The participant restarts two seconds after a submission and loses its transaction, which was visible before.',
    ...fault('submit-and-wait', 'SAW-UPDATE-ID', 'later'),
    interceptor: runAfter(['submit-and-wait'], (_request, answer, stage) => {
      const updateId = answerOf(answer)?.['updateId']
      if (typeof updateId === 'string')
        stage.later(uptime, () => stage.participant.ledger.state.transactions.delete(updateId))
    }),
  },
]
