/** Mutants with effects after or despite their answer. */
import type { JsonObject } from '../../lib/json/json.js'
import type { InterceptedRequest } from '../../simulator/participant/participant.js'
import { bodyOf, isDuplicate, isRejection, withBody } from '../interceptors/bodies.js'
import { runAfter } from '../interceptors/interceptors.js'
import { freshId } from '../interceptors/names.js'
import { withoutAcceptedChanges } from '../interceptors/participant-state.js'
import { fault, type Mutant } from './mutant.js'

/** Milliseconds, before and after the probes of a row. */
export const delays = [50, 200, 1000, 2000] as const

/** A probably valid request; undefined for operations without effects. */
function corrected(request: InterceptedRequest): InterceptedRequest | undefined {
  const body = bodyOf(request)
  if (!body) return undefined
  switch (request.operation) {
    case 'submit-and-wait':
      return withBody(request, submission(body))
    case 'execute':
    case 'execute-and-wait-for-transaction': {
      const { transactionFormat: _format, minLedgerTime: _time, ...rest } = body
      return withBody(request, { ...rest, submissionId: '', deduplicationPeriod: { Empty: {} } })
    }
    case 'update-package-vetting':
      return withBody(request, { changes: body['changes'] ?? [], updateVettedPackagesForceFlags: allFlags })
    default:
      return undefined
  }
}

const submission = ({ commands = [], actAs = [], userId }: JsonObject): JsonObject => ({
  commands,
  actAs,
  ...(userId !== undefined && { userId }),
  commandId: freshId('late'),
})

const flag = 'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW'
const allFlags = [`${flag}_VET_INCOMPATIBLE_UPGRADES`, `${flag}_UNVETTED_DEPENDENCIES`]

const changing = ['submit-and-wait', 'execute', 'execute-and-wait-for-transaction', 'update-package-vetting'] as const

const lateRefusal = (operation: (typeof changing)[number], milliseconds: number): Mutant => ({
  name: `refused-then-done-${operation}-${milliseconds}`,
  sentence: `${operation} executes a rejected request ${milliseconds} milliseconds later.`,
  ...fault(operation, 'GEN-NO-EFFECT', 'later'),
  interceptor: runAfter([operation], (request, answer, stage) => {
    const valid = isRejection(answer) ? corrected(request) : undefined
    if (valid) stage.later(milliseconds, () => stage.handle(valid))
  }),
})

const again = (milliseconds: number): Mutant => ({
  name: `committed-again-${milliseconds}`,
  sentence: `An accepted submission is committed again ${milliseconds} milliseconds later.`,
  ...fault('submit-and-wait', 'SAW-PURPOSE', 'later'),
  interceptor: runAfter(['submit-and-wait'], (request, answer, stage) => {
    const body = bodyOf(request)
    if (answer.status !== 200 || !body) return
    stage.later(milliseconds, () =>
      stage.handle(withBody(request, { ...body, commandId: freshId('again'), submissionId: '' })),
    )
  }),
})

const duplicateLater = (milliseconds: number): Mutant => ({
  name: `duplicates-committed-${milliseconds}`,
  sentence: `A duplicate is rejected, and committed ${milliseconds} milliseconds later.`,
  ...fault('submit-and-wait', 'GEN-NO-EFFECT', 'later'),
  interceptor: runAfter(['submit-and-wait'], (request, answer, stage) => {
    if (isDuplicate(answer))
      stage.later(milliseconds, () =>
        stage.handle(withBody(request, { ...bodyOf(request), commandId: freshId('dup') })),
      )
  }),
})

export const effectsOfRejections: readonly Mutant[] = [
  {
    name: 'duplicates-committed',
    sentence: 'A duplicate is rejected with 409, and committed anyway.',
    ...fault('submit-and-wait', 'GEN-NO-EFFECT', 'ledger'),
    interceptor: runAfter(['submit-and-wait', 'execute-and-wait-for-transaction'], async (request, answer, stage) => {
      if (!isDuplicate(answer)) return
      // The first submission may be in flight.
      await stage.participant.clock.transit(stage.participant.activity)
      await withoutAcceptedChanges(stage.participant, () => stage.handle(request))
    }),
  },
  ...changing.flatMap((operation) => delays.map((milliseconds) => lateRefusal(operation, milliseconds))),
]

export const lateCommits: readonly Mutant[] = [...[50, 500, 1000, 2000].map(again), ...[200, 2000].map(duplicateLater)]
