/** /v2/commands/completions: what became of submissions. */
import { grammars, violation } from '../../interface/grammars.js'
import type { JsonObject } from '../../lib/json/json.js'
import { demandOwnUserId, demandRead } from '../auth/authorize.js'
import { effectiveUserId } from '../auth/caller.js'
import { invalidArgument, missingField, negativeOffset, offsetAfterLedgerEnd } from '../base/errors.js'
import { mapped } from '../http/stream.js'
import { streamEndpoint } from '../http/stream-endpoint.js'
import { int64, list, members, optional, text } from '../json/decode.js'
import { completionView } from './completion-view.js'

const completionsBody = members({
  userId: optional(text, ''),
  parties: optional(list(text), []),
  beginExclusive: optional(int64, 0n),
})

export const completions = streamEndpoint({
  path: '/v2/commands/completions',
  body: completionsBody,
  open: ({ participant, caller, body }) => {
    const { ledger } = participant
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
      throw offsetAfterLedgerEnd('reading', `Begin offset (${beginExclusive}) is after ledger end (${ledger.end})`)
    }
    let seen = Number(beginExclusive)
    const next = (): Iterable<JsonObject> => {
      const written = ledger.completionsAfter(seen)
      seen = Math.max(seen, written.at(-1)?.offset ?? 0)
      const own = written.filter(({ submission: { userId: submitter, actAs } }) => {
        return submitter === userId && actAs.some((party) => body.parties.includes(party))
      })
      return mapped(own, (completion) => ({
        completionResponse: { Completion: { value: completionView(completion) } },
      }))
    }
    return { openEnded: true, next }
  },
})
