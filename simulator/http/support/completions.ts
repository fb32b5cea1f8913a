/** POST /v2/commands/completions: what became of submissions. */
import { grammars, violation } from '../../../interface/grammars.js'
import { demandOwnUserId, demandRead } from '../../auth/authorize.js'
import { effectiveUserId } from '../../auth/caller.js'
import { invalidArgument, missingField, negativeOffset, offsetAfterLedgerEnd } from '../../errors.js'
import { int64, list, members, optional, text } from '../../json/decode.js'
import { ok } from '../answer.js'
import { completionView } from '../completion-view.js'
import { endpoint } from '../endpoint.js'

const completionsBody = members({
  userId: optional(text, ''),
  parties: optional(list(text), []),
  beginExclusive: optional(int64, 0n),
})

/** Elements that a list holds at most (default of the reference participant 3.5.10). */
const listLimit = 200

/** Answers with what is there: nobody is made to wait for more. */
export const completions = endpoint({
  method: 'post',
  path: '/v2/commands/completions',
  body: completionsBody,
  handle: ({ participant: { ledger }, caller, body, query }) => {
    demandOwnUserId(caller, body.userId)
    demandRead(caller, body.parties)
    const userId = effectiveUserId(caller, body.userId)
    if (body.parties.length === 0) throw missingField('request', 'parties')
    for (const party of body.parties) {
      const problem = violation(grammars.partyId, party)
      if (problem) throw invalidArgument('request', problem)
    }
    const { beginExclusive } = body
    if (beginExclusive < 0n) throw negativeOffset('request', `Offset ${beginExclusive} in begin_exclusive is negative`)
    if (beginExclusive > BigInt(ledger.end)) {
      throw offsetAfterLedgerEnd('service', `Begin offset (${beginExclusive}) is after ledger end (${ledger.end})`)
    }
    const found = ledger.completionsAfter(Number(beginExclusive)).filter(({ submission }) => {
      return submission.userId === userId && submission.actAs.some((party) => body.parties.includes(party))
    })
    const limit = Number(query.get('limit') ?? listLimit)
    return ok(
      found
        .slice(0, limit)
        .map((completion) => ({ completionResponse: { Completion: { value: completionView(completion) } } })),
    )
  },
})
