/** Participants that refuse, and do it all the same. */
import type { JsonObject } from '../../lib/json/json.js'
import type { InterceptedRequest } from '../participant/interceptor.js'
import { afterwards, answerOf, bodyOf, freshId, withBody, withoutMemory } from './alterations.js'
import type { Mutant } from './mutant.js'

/** Milliseconds after which effects are late: at once after the answer, and where a probe has long looked. */
export const delays = [50, 200, 1000, 2000] as const

const duplicates = ['DUPLICATE_COMMAND', 'SUBMISSION_ALREADY_IN_FLIGHT']

const doubling: Mutant = {
  name: 'duplicates-committed',
  sentence: 'A duplicate is rejected with 409, and committed anyway.',
  rule: 'GEN-NO-EFFECT',
  operation: 'submit-and-wait',
  shows: 'ledger',
  interceptor: afterwards(['submit-and-wait', 'execute-and-wait-for-transaction'], async (asked, answer, stage) => {
    if (!duplicates.includes(String(answerOf(answer)?.['code']))) return
    // The one that it meets in flight has to be through first.
    await stage.participant.clock.transit(stage.participant.activity)
    await withoutMemory(stage.participant, () => stage.handle(asked))
  }),
}

/** What a refused request would have been without its fault, as far as that can be told; undefined where it cannot. */
function corrected(asked: InterceptedRequest): InterceptedRequest | undefined {
  const body = bodyOf(asked)
  if (!body) return undefined
  switch (asked.operation) {
    case 'submit-and-wait':
      return withBody(asked, submission(body))
    case 'execute':
    case 'execute-and-wait-for-transaction': {
      const { transactionFormat: _format, minLedgerTime: _time, ...rest } = body
      return withBody(asked, { ...rest, submissionId: '', deduplicationPeriod: { Empty: {} } })
    }
    case 'update-package-vetting':
      return withBody(asked, { changes: body['changes'] ?? [], updateVettedPackagesForceFlags: allFlags })
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
  rule: 'GEN-NO-EFFECT',
  operation,
  shows: 'later',
  interceptor: afterwards([operation], (asked, answer, stage) => {
    const request = answer.status >= 400 && answer.status < 500 ? corrected(asked) : undefined
    if (request) stage.later(milliseconds, () => stage.handle(request))
  }),
})

export const refusedAndDone: readonly Mutant[] = [
  doubling,
  ...changing.flatMap((operation) => delays.map((milliseconds) => lateRefusal(operation, milliseconds))),
]
