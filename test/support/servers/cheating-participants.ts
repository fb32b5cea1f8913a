/** Interceptors of participants that hide effects, and of reads that do not show them. */
import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import { bodyOf, isRejection, listOf, withBody } from '../../../proof/interceptors/bodies.js'
import { alterAnswers, combineInterceptors, runAfter } from '../../../proof/interceptors/interceptors.js'
import { freshId } from '../../../proof/interceptors/names.js'
import type { InterceptedRequest, Interceptor, Stage } from '../../../simulator/participant/participant.js'

type Named = Readonly<Record<string, Interceptor>>

const submitting = ['submit-and-wait'] as const

const commit = (request: InterceptedRequest, stage: Stage, body: JsonObject): Promise<unknown> =>
  stage.handle({ ...withBody(request, body), method: 'POST', path: '/v2/commands/submit-and-wait' })

const unmarked = (parties: readonly JsonValue[], userId: JsonValue | undefined): JsonObject => ({
  commands: [
    {
      CreateCommand: {
        templateId: '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping',
        createArguments: { id: 'lunch', initiator: parties[0] ?? '', responder: parties[0] ?? '' },
      },
    },
  ],
  commandId: freshId('lunch'),
  actAs: parties.slice(0, 1),
  ...(userId !== undefined && { userId }),
})

const extra = (isMeant: (isRejected: boolean) => boolean): Interceptor =>
  runAfter(submitting, async (request, answer, stage) => {
    const body = bodyOf(request)
    const parties = listOf(body?.['actAs'])
    if (parties.length === 0 || !isMeant(isRejection(answer))) return
    await commit(request, stage, unmarked(parties, body?.['userId']))
  })

/** A rejected submission commits its valid commands, with the marker of its row. */
const rejectedAndCommitted = (milliseconds: number): Interceptor =>
  runAfter(submitting, async (request, answer, stage) => {
    const { commands = [], actAs = [], userId } = bodyOf(request) ?? {}
    if (!isRejection(answer)) return
    const body = { commands, actAs, ...(userId !== undefined && { userId }), commandId: freshId('late') }
    if (milliseconds === 0) await commit(request, stage, body)
    else stage.later(milliseconds, () => commit(request, stage, body))
  })

/** Every third accepted `execute` commits nothing. */
const lostExecutions: Interceptor = ({ handle }) => {
  let count = 0
  return (request) => {
    if (request.operation !== 'execute') return handle(request)
    count += 1
    const isLost = count % 3 === 0
    return isLost ? Promise.resolve({ status: 200, contentType: 'application/json', text: '{}' }) : handle(request)
  }
}

const updatesOf = (keep: (item: JsonValue, text: string, seen: number) => boolean): Interceptor => {
  const seen = new Set<string>()
  return alterAnswers(['updates'], (answer) =>
    listOf(answer).filter((item) => {
      const text = JSON.stringify(item)
      seen.add(text)
      return keep(item, text, seen.size)
    }),
  )
}

const constant = (
  operation: 'ledger-end' | 'active-contracts' | 'completions' | 'list-vetted-packages',
): Interceptor => {
  const first = new Map<string, JsonValue>()
  return alterAnswers([operation], (answer, request) => {
    const question = JSON.stringify(request)
    if (!first.has(question)) first.set(question, answer)
    return first.get(question) ?? answer
  })
}

const empty = (operation: 'active-contracts' | 'completions' | 'updates'): Interceptor =>
  alterAnswers([operation], () => [])

/** Each breaks the rule that a rejection has no effect, or that an acceptance has one. */
export const faults: Named = {
  'extra-after-rejection': extra((isRejected) => isRejected),
  'extra-after-acceptance': extra((isRejected) => !isRejected),
  'rejected-and-committed': rejectedAndCommitted(0),
  'rejected-and-committed-late': rejectedAndCommitted(300),
  'lost-executions': lostExecutions,
}

/** Each hides facts. A new one for each run, because some count. */
export const faultyOracles: Readonly<Record<string, () => Interceptor>> = {
  'updates-dead': () => empty('updates'),
  'updates-frozen': () => updatesOf((_, __, seen) => seen <= 4),
  'updates-late': () => updatesOf((item) => Date.now() - Date.parse(timeOf(item)) > 60_000),
  'updates-without-one-in-ten': () => updatesOf((_, __, seen) => seen % 10 !== 0),
  'updates-without-a-template': () => updatesOf((_, text) => !text.includes('CreatedEvent')),
  'updates-in-short-pages': () => alterAnswers(['updates'], (answer) => listOf(answer).slice(0, 5)),
  'ledger-end-frozen': () => constant('ledger-end'),
  'active-contracts-frozen': () => constant('active-contracts'),
  'active-contracts-dead': () => empty('active-contracts'),
  'completions-dead': () => empty('completions'),
  'vetted-packages-frozen': () => constant('list-vetted-packages'),
}

function timeOf(item: JsonValue): string {
  const [, time = ''] = /"recordTime":"([^"]*)"/.exec(JSON.stringify(item)) ?? []
  return time
}

export const cheating = (...parts: readonly (Interceptor | undefined)[]): Interceptor =>
  combineInterceptors(parts.filter((part) => part !== undefined))
